import type { ShouldRevalidateFunctionArgs } from "react-router";
import { mayDo } from "../../features/access/permissions.ts";
import { loadOwnAccount } from "../../features/account/account-page.server.ts";
import { AccountScreen } from "../../features/account/account-screen.tsx";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { AccountSearch, readNewEmail } from "../../features/account/input.ts";
import { countdownsSince } from "../../features/auth/codes/code-sent.ts";
import { CodeStep } from "../../features/auth/screens/code-step.tsx";
import { LinkedAccountsPanel } from "../../features/auth/screens/linked-accounts-panel.tsx";
import { MAX_PASSKEYS } from "../../features/auth/sign-in/passkey-call.server.ts";
import { listProviders } from "../../features/auth/sign-in/providers.ts";
import { DeletionPanel } from "../../features/deletion/deletion-panel.tsx";
import { PasskeyDrawer } from "../../features/passkeys/passkey-drawers.tsx";
import { PasskeysPanel } from "../../features/passkeys/passkeys-panel.tsx";
import { PreferenceChoices } from "../../features/preferences/preference-choices.tsx";
import { FeaturePanels } from "../../features.ui.tsx";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { parseSearch } from "../../http/search-params.ts";
import { requireOwner, requirePasskey, requirePermission } from "../../middleware/current-user.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { BreadcrumbTo } from "../../ui/layout/screen-header.tsx";
import { EmailSentence } from "../../ui/text/email-text.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/account.ts";
import { AccountPost, changeOwnAccount } from "./account-actions.server.ts";

export const handle = { i18n: ["account", "login"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  const current = requirePermission(context, "account", "update");
  const { user } = current;
  const { db, config, avatars } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const search = parseSearch(url, AccountSearch);
  if (search.state === "add-passkey") {
    requirePasskey(context, url, { change: "new-passkey", next: url.pathname + url.search });
  }
  const { newEmail, isIgnored } = readNewEmail(search.newEmail);
  const panels = openPanels(context, "accountPage", user.id);
  const asked = { newEmail, panels: panels.statements };
  const { emailStep, panelRows, ...own } = await loadOwnAccount(db, current, asked, now);
  const paths = accountPaths(areaOf(url));
  return {
    ...own,
    isClosed: current.session.impersonatedBy !== null,
    state: search.state,
    namedPasskey: own.passkeys.find(({ id }) => id === search.passkey),
    canAddPasskey: own.passkeys.length < MAX_PASSKEYS,
    newEmail: newEmail === user.email ? "" : newEmail,
    isNewEmailIgnored: isIgnored,
    emailStep: emailStep && {
      purpose: emailStep.purpose,
      email: emailStep.email,
      countdowns: countdownsSince(emailStep.sentAt.getTime(), now),
    },
    accountPath: paths.account,
    picturePath: avatars && paths.picture,
    dataPath: paths.data,
    area: areaOf(url),
    panels: panels.results(panelRows, (needs) => mayDo(user, needs)),
    now,
    user: { name: user.name, email: user.email, avatar: user.avatar },
    providers: listProviders(config.social),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requirePermission(context, "account", "update");
  requireOwner(context);
  const form = await parseForm(request, AccountPost);
  if (!form.ok) return invalid(form.result);
  return changeOwnAccount({ request, context, url, result: form.result }, form.value);
}

export const clientAction = sendForm;

/** A refused deletion may be about organizations that the page does not name yet. */
export function shouldRevalidate({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return Boolean(actionResult?.errors?.deletion) || defaultShouldRevalidate;
}

export const headers = retryAfterHeaders;

export default function OwnAccountScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const { emailStep, accountPath, newEmail } = loaderData;
  if (emailStep) {
    const { purpose } = emailStep;
    const text = (to: string) => t("email.email-current.text", { email: to });
    return (
      <CodeStep
        {...emailStep}
        key={purpose}
        title={t(`email.${purpose}.title`)}
        breadcrumb={<BreadcrumbTo to={accountPath}>{t("title")}</BreadcrumbTo>}
        text={purpose === "email-current" && <EmailSentence text={text} email={newEmail} />}
        note={purpose === "email-new" ? t("email.email-new.note") : undefined}
        step={purpose}
        result={actionData}
        cancelTo={accountPath}
      />
    );
  }
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <PasskeyDrawer
        state={loaderData.state}
        passkey={loaderData.namedPasskey}
        accountPath={accountPath}
        result={actionData}
      />
      <AccountScreen
        {...loaderData}
        result={actionData}
        passkeysPanel={<PasskeysPanel {...loaderData} canAdd={loaderData.canAddPasskey} />}
        linkedAccountsPanel={<LinkedAccountsPanel {...loaderData} email={loaderData.user.email} />}
        panels={
          <FeaturePanels<"accountPage">
            subject={loaderData}
            panels={loaderData.panels}
            now={loaderData.now}
          />
        }
        preferenceChoices={<PreferenceChoices />}
        deletionPanel={<DeletionPanel {...loaderData} action="#danger" result={actionData} />}
      />
    </>
  );
}
