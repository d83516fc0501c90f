import { useEffect, useRef } from "react";
import { Form, href, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { requireAct, userContext } from "../../../middleware/current-user.ts";
import { requireUser } from "../../../middleware/guards.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { messageReference } from "../../../ui/text/message.tsx";
import { StateDisc } from "../../../ui/text/state-disc.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { describeDevice } from "../../../values/user-agent.server.ts";
import { CODE_LENGTH } from "../../auth/codes/code.ts";
import { GatePage } from "../../auth/screens/gate-page.tsx";
import { SignedInAs } from "../../auth/screens/signed-in-as.tsx";
import { EntryPage } from "../../preferences/entry-page.tsx";
import { OWN_APP_ACTS } from "../acts.ts";
import { AppLogo } from "../app-logo.tsx";
import { AppOwner } from "../app-owner.tsx";
import { AskedOf } from "../asked-of.tsx";
import { findAsked, toldOrganization } from "../consents.server.ts";
import { typedUserCode } from "../device-code.ts";
import { DeviceFacts } from "../device-facts.tsx";
import { allowDevice, findWaitingDevice, refuseDevice } from "../devices.server.ts";
import { DeviceForm } from "../input.ts";
import { isAppScope } from "../scopes.ts";
import { Unchecked } from "../unchecked.tsx";
import type { Route } from "./+types/device.ts";
import { provedAtOf, requireCallProof, requireOwnSession } from "./authorization.server.ts";

const Search = z.object({
  code: z.string().max(60).catch(""),
  done: z.enum(["allowed", "refused"]).optional().catch(undefined),
});

export const handle = { i18n: ["connected-apps", "scopes"] };

export const middleware: Route.MiddlewareFunction[] = [requireUser];

/** The page of the code that a device shows. A code in its URL stands in the field; nothing is looked up by it. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const current = requireOwnSession(context.get(userContext));
  return {
    ...parseSearch(url, Search),
    email: current.user.email,
    next: url.pathname + url.search,
    activeOrganizationId: current.session.activeOrganizationId,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const current = requireOwnSession(context.get(userContext));
  const actor = requireAct(context, OWN_APP_ACTS["sign-in-device"]);
  const { now, limitedIpAddress: ipAddress } = context.get(requestContext);
  const { db, keys } = context.get(servicesContext);
  const form = await parseForm(request, DeviceForm);
  if (!form.ok) return invalid(form.result);
  const isUnknown = () => invalid(form.result, { userCode: ["connected-apps:device.unknown"] });
  const { intent, organization } = form.value;
  const code = typedUserCode(form.value.userCode);
  if (!code) return isUnknown();
  const at = now();
  const asker = { userId: current.user.id, ipAddress, now: at };
  const found = await findWaitingDevice({ db, keys }, code, asker);
  if (!found.ok) {
    const { retryAfterSeconds } = found;
    if (!retryAfterSeconds) return isUnknown();
    const errors = { "": ["codes:TOO_MANY_REQUESTS"] };
    return invalid(form.result, errors, { status: 429, retryAfterSeconds });
  }
  const { device } = found;
  if (intent === "refuse") {
    return (await refuseDevice(db, device, at)) ? leave("refused") : isUnknown();
  }
  const back = `${url.pathname}?${new URLSearchParams({ code: form.value.userCode })}`;
  requireCallProof(context, url, device.scopes, back);
  const asked = await findAsked(db, current.user.id, device.clientId);
  if (!asked) return isUnknown();
  const { owner, organizations } = asked;
  if (asked.isOutsider && owner) {
    const values = { organization: isolate(owner.name) };
    const error = messageReference("connected-apps:outsider.device", values);
    return invalid(form.result, { userCode: [error] }, { status: 403 });
  }
  if (intent === "look") {
    const { app, scopes, place, userAgent, since } = device;
    const { logo, clientId, unchecked } = asked.client;
    const shown = {
      app,
      clientId,
      logo,
      unchecked,
      scopes,
      owner,
      organizations,
      place,
      since,
      now: at,
    };
    return { ...form.result, asked: { ...shown, device: describeDevice(userAgent) } };
  }
  const isAllowed = await allowDevice(db, actor, {
    device,
    sessionId: current.session.id,
    provedAt: provedAtOf(current),
    organizationId: toldOrganization(asked, device.scopes, organization),
  });
  return isAllowed ? leave("allowed") : isUnknown();
}

export const clientAction = sendForm;

export const headers = retryAfterHeaders;

export default function DeviceScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { done, email, next } = loaderData;
  const asked = actionData && "asked" in actionData ? actionData.asked : undefined;
  return (
    <GatePage risen={CODE_LENGTH}>
      <EntryPage>
        {done ? (
          <Done is={done} />
        ) : (
          <>
            {asked ? (
              <Question
                {...asked}
                userCode={actionData?.values.userCode ?? ""}
                activeOrganizationId={loaderData.activeOrganizationId}
              />
            ) : (
              <CodeForm
                code={actionData?.values.userCode ?? loaderData.code}
                errors={actionData?.errors}
              />
            )}
            <SignedInAs email={email} next={next} />
          </>
        )}
      </EntryPage>
    </GatePage>
  );
}

type CodeFormProps = { code: string; errors: Record<string, string[]> | undefined };

function CodeForm({ code, errors }: CodeFormProps) {
  const { t } = useTranslation("connected-apps");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(errors);
  return (
    <>
      <ScreenTitle>{t("device.title")}</ScreenTitle>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold text-balance">{t("device.title")}</h1>
        <p className="text-muted">{t("device.intro")}</p>
      </div>
      <Form ref={form} method="post" action={href("/app/device")} noValidate className="grid gap-5">
        <FormErrors errors={errors?.[""]} />
        <TextField
          name="userCode"
          label={t("device.code")}
          hint={t("device.codeHint")}
          errors={errors?.userCode}
          defaultValue={code}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="input font-mono"
        />
        <Button name="intent" value="look" isBusy={isBusy}>
          {t("device.continue")}
        </Button>
      </Form>
    </>
  );
}

type QuestionProps = Parameters<typeof AskedOf>[0] &
  Parameters<typeof DeviceFacts>[0] & {
    app: string;
    clientId: string;
    logo: string | null;
    unchecked: { host: string | undefined } | undefined;
    userCode: string;
  };

/** Asks whether the app on the device may know the person. The heading takes the focus, because the page changed. */
function Question({ app, unchecked, userCode, ...asked }: QuestionProps) {
  const { t } = useTranslation("connected-apps");
  const busy = useNavigation().formData?.get("intent");
  const heading = useRef<HTMLHeadingElement>(null);
  // Outside React: focus.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <ScreenTitle>{t("connect.title", { app })}</ScreenTitle>
      <div className="grid gap-2">
        <AppLogo clientId={asked.clientId} name={app} logo={asked.logo} size="lg" />
        <h1
          ref={heading}
          tabIndex={-1}
          className="mt-2 text-xl font-semibold text-balance outline-none"
        >
          <WithOwnText text={(name) => t("connect.title", { app: name })} value={app} />
        </h1>
        {asked.owner && <AppOwner name={asked.owner.name} />}
        <p className="font-medium">{t("device.warning")}</p>
        <p className="text-muted">{t("device.warningText")}</p>
      </div>
      <DeviceFacts {...asked} />
      <Form method="post" action={href("/app/device")} noValidate className="grid gap-5">
        <input type="hidden" name="userCode" value={userCode} />
        {asked.scopes.some(isAppScope) && <p className="text-muted">{t("connect.intro")}</p>}
        <AskedOf {...asked} />
        {unchecked && <Unchecked {...unchecked} />}
        <div className="grid gap-2">
          <Button name="intent" value="allow" isBusy={busy === "allow"}>
            {t("connect.allow")}
          </Button>
          <Button name="intent" value="refuse" variant="secondary" isBusy={busy === "refuse"}>
            {t("connect.cancel")}
          </Button>
        </div>
      </Form>
    </>
  );
}

function Done({ is }: { is: "allowed" | "refused" }) {
  const { t } = useTranslation("connected-apps");
  const title = t(`device.${is}`);
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <div className="grid gap-2">
        <StateDisc
          name={is === "allowed" ? "check" : "x"}
          tone={is === "allowed" ? "success" : "quiet"}
        />
        <h1 className="mt-2 text-xl font-semibold">{title}</h1>
        <p className="text-muted">{t(`device.${is}Text`)}</p>
      </div>
    </>
  );
}

function leave(done: "allowed" | "refused") {
  return redirect(`${href("/app/device")}?${new URLSearchParams({ done })}`);
}
