import { href, redirect } from "react-router";
import { z } from "zod";
import { AccountScreen } from "../../features/account/account-screen.tsx";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { DataPanel } from "../../features/account/data-panel.tsx";
import { DeletionPanel } from "../../features/account/deletion-panel.tsx";
import { emailStepOf } from "../../features/account/email-change.server.ts";
import { EmailForm } from "../../features/account/email-form.tsx";
import { AccountForm, AccountSearch, readNewEmail } from "../../features/account/input.ts";
import { NameDrawer } from "../../features/account/name-drawer.tsx";
import { loadOwnAccount } from "../../features/account/own-account.server.ts";
import { changeOwnName } from "../../features/account/own-name.server.ts";
import { SessionsPanel } from "../../features/account/sessions-panel.tsx";
import { countdownsSince } from "../../features/auth/code-sent.ts";
import { CodeStep } from "../../features/auth/code-step.tsx";
import { VerifyForm } from "../../features/auth/input.ts";
import { LinkedAccountsPanel } from "../../features/auth/linked-accounts-panel.tsx";
import { MAX_PASSKEYS } from "../../features/auth/passkeys.server.ts";
import { listProviders } from "../../features/auth/providers.ts";
import { clearSessionCookie } from "../../features/auth/session.server.ts";
import { removePasskey, renamePasskey } from "../../features/passkeys/own-passkeys.server.ts";
import { AddPasskeyDrawer, NamePasskeyDrawer } from "../../features/passkeys/passkey-drawers.tsx";
import { PasskeysPanel } from "../../features/passkeys/passkeys-panel.tsx";
import { PreferenceChoices } from "../../features/preferences/preference-choices.tsx";
import { revokeUserSessions } from "../../features/users/user-commands.server.ts";
import { invalid, parseForm, retryAfterHeaders } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { parseSearch } from "../../http/search-params.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { describeDevice } from "../../http/user-agent.server.ts";
import {
  requestDeletion,
  resendEmailCode,
  startEmailChange,
  verifyEmailCode,
} from "../../middleware/leaving.ts";
import { linkAccount, unlinkOwnAccount } from "../../middleware/linked-accounts.ts";
import {
  requireActor,
  requireFresh,
  requireOwner,
  requirePermission,
} from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { isolate } from "../../ui/isolate.ts";
import { Notice } from "../../ui/notice.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/account.ts";

export const handle = { i18n: ["account", "login"] };

/** What the screen's panels post, and what the entry of a code does. */
const AccountPost = z.discriminatedUnion("intent", [...AccountForm.options, ...VerifyForm.options]);

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user, session } = requirePermission(context, "account", "update");
  const { db, config, avatars } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const search = parseSearch(url, AccountSearch);
  if (search.state === "add-passkey") requireFresh(context, url, url.pathname + url.search);
  const ids = { userId: user.id, sessionId: session.id };
  const { sessions, accounts, passkeys, emailCodes } = await loadOwnAccount(db, ids, now);
  const { newEmail, isIgnored } = readNewEmail(search.newEmail);
  const step = emailStepOf(emailCodes, { email: user.email, newEmail }, now);
  return {
    state: search.state,
    passkeys,
    named: passkeys.find(({ id }) => id === search.passkey),
    canAddPasskey: passkeys.length < MAX_PASSKEYS,
    newEmail: newEmail === user.email ? "" : newEmail,
    isNewEmailIgnored: isIgnored,
    step: step && {
      ...{ purpose: step.purpose, address: step.address },
      countdowns: countdownsSince(step.sentAt.getTime(), now),
    },
    accountPath: accountPaths(areaOf(url)).account,
    picturePath: avatars && accountPaths(areaOf(url)).picture,
    dataPath: accountPaths(areaOf(url)).data,
    now,
    user: { name: user.name, email: user.email, avatar: user.avatar },
    sessions: sessions
      .map(({ userAgent, ...shown }) => ({
        ...shown,
        device: describeDevice(userAgent),
        isThisOne: shown.id === session.id,
      }))
      .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne)),
    providers: listProviders(config.social),
    accounts,
    build: __BUILD__,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "account", "update");
  const { user, session } = requireOwner(context);
  const form = await parseForm(request, AccountPost);
  if (!form.ok) return invalid(form.result);
  const { db, config } = context.get(servicesContext);
  const { account } = accountPaths(areaOf(url));
  const call = { request, context, url, result: form.result };
  const done = (message: string) =>
    redirectWithToast(account, { kind: "success", message: `account:toast.${message}` });

  switch (form.value.intent) {
    case "change-name":
      await changeOwnName(db, actor, user, form.value.name);
      return done("nameChanged");
    case "rename-passkey": {
      const { passkey, passkeyName } = form.value;
      return (await renamePasskey(db, actor, passkey, passkeyName))
        ? done("passkeyRenamed")
        : notFound();
    }
    case "remove-passkey":
      requireFresh(context, url, account);
      return (await removePasskey(db, actor, form.value.passkey))
        ? done("passkeyRemoved")
        : notFound();
    case "revoke":
      await revokeUserSessions(db, actor, { userId: user.id, sessionId: form.value.session });
      return done("sessionEnded");
    case "revoke-others":
      await revokeUserSessions(db, actor, { userId: user.id, exceptSessionId: session.id });
      return done("othersEnded");
    case "revoke-all":
      await revokeUserSessions(db, actor, { userId: user.id });
      return redirect(href("/login"), {
        headers: { "Set-Cookie": clearSessionCookie(config.isSecure) },
      });
    case "link":
      return linkAccount(call, form.value.provider);
    case "unlink":
      return unlinkOwnAccount(call, form.value.account);
    case "change-email":
      return startEmailChange(call, form.value.email);
    case "resend":
      return resendEmailCode(call);
    case "verify":
      return verifyEmailCode(call, form.value.code);
    case "request-deletion":
      return requestDeletion(call);
  }
}

export const headers = retryAfterHeaders;

export default function OwnAccountScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("account");
  const { state, step, newEmail, user, accountPath, picturePath, dataPath, sessions, now, build } =
    loaderData;
  const { passkeys, named, canAddPasskey } = loaderData;
  if (step) {
    return (
      <CodeStep
        key={step.purpose}
        title={t(`email.${step.purpose}.title`)}
        text={t(`email.${step.purpose}.text`, { email: isolate(newEmail) })}
        email={step.address}
        countdowns={step.countdowns}
        result={actionData}
        cancelTo={accountPath}
      />
    );
  }
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      {state === "change-name" && (
        <NameDrawer name={user.name} accountPath={accountPath} result={actionData} />
      )}
      {state === "add-passkey" && <AddPasskeyDrawer accountPath={accountPath} />}
      {named && (state === "name-passkey" || state === "rename-passkey") && (
        <NamePasskeyDrawer
          passkey={named}
          isNew={state === "name-passkey"}
          accountPath={accountPath}
          result={actionData}
        />
      )}
      <AccountScreen
        user={user}
        accountPath={accountPath}
        picturePath={picturePath}
        build={build}
        preferences={<PreferenceChoices />}
        profile={
          <>
            {loaderData.isNewEmailIgnored && <Notice kind="warning">{t("email.ignored")}</Notice>}
            <EmailForm newEmail={newEmail} accountPath={accountPath} result={actionData} />
          </>
        }
        leaving={<DeletionPanel errors={actionData?.errors.deletion} />}
      >
        <PasskeysPanel
          passkeys={passkeys}
          now={now}
          accountPath={accountPath}
          canAdd={canAddPasskey}
        />
        <SessionsPanel sessions={sessions} now={now} />
        <LinkedAccountsPanel
          email={user.email}
          providers={loaderData.providers}
          accounts={loaderData.accounts}
          now={now}
        />
        <DataPanel path={dataPath} />
      </AccountScreen>
    </>
  );
}
