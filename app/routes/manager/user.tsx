import { href, redirect } from "react-router";
import { can, mayDo } from "../../features/access/permissions.ts";
import { startImpersonation } from "../../features/auth/impersonation/impersonation.server.ts";
import { listProviders, nameOfProvider } from "../../features/auth/sign-in/providers.ts";
import { selectMailsTo } from "../../features/mail/user-mails.server.ts";
import { UserMails } from "../../features/mail/user-mails.tsx";
import { USER_ACTS } from "../../features/users/acts.ts";
import { userChange } from "../../features/users/commands/input.ts";
import { changeUser } from "../../features/users/commands/user-changes.server.ts";
import { findUser } from "../../features/users/list/user-queries.server.ts";
import { UserDetail } from "../../features/users/screen/user-detail.tsx";
import { userInView } from "../../features/users/screen/user-in-view.ts";
import { findUserDetail, SHOWN_ROWS } from "../../features/users/screen/user-page.server.ts";
import { readEventSide, readUserTab, userTabsFor } from "../../features/users/screen/user-tabs.ts";
import { FeaturePanels } from "../../features.ui.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { NO_CHOICE, withChoice } from "../../lists/bulk/kept-choice.ts";
import { getCurrentSession, requireAct, requirePermission } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import type { CheckedMessage } from "../../ui/text/message.tsx";
import { describeDevice } from "../../values/user-agent.server.ts";
import type { Route } from "./+types/user.ts";

export const handle = { i18n: ["users", "events", "logs"], inView: userInView };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { user: self } = requirePermission(context, "user", "get");
  const { db, config } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const tabs = userTabsFor(self);
  const tab = readUserTab(url.searchParams, tabs);
  const side = readEventSide(url.searchParams);
  const mails = selectMailsTo(db, params.id, tab === "emails" ? SHOWN_ROWS : 0);
  const panels = openPanels(context, "userPage", params.id);
  const aside = openPanels(context, "userAside", params.id);
  const statements = [...panels.statements, ...aside.statements];
  const asked = { tab, side, mails, panels: statements, now };
  const detail = (await findUserDetail(db, params.id, asked)) ?? notFound();
  const { user, sessions, methods, ban, panelRows, ...rest } = detail;
  const providers = listProviders(config.social);
  const readsAudit = can(self, "audit", "read");
  const mayRead = (needs: readonly [string, string]) => mayDo(self, needs);
  const shown = ({ accounts, question, ...others }: typeof methods) => ({
    ...others,
    question: question && { ...question, act: readsAudit ? question.act : undefined },
    accounts: accounts.map(({ id, provider, email }) => ({
      id,
      name: nameOfProvider(provider, providers),
      email,
    })),
  });
  return {
    ...rest,
    user,
    now,
    tab,
    tabs,
    side,
    panels: panels.results(panelRows, mayRead),
    aside: aside.results(panelRows.slice(panels.statements.length), mayRead),
    isSelf: user.id === self.id,
    rights: {
      edit: can(self, "user", "update"),
      ban: can(self, "user", "ban"),
      impersonate: can(self, "user", "impersonate"),
    },
    isListed: config.adminEmails.includes(user.email),
    sessions: sessions.map(({ userAgent, ...session }) => ({
      ...session,
      device: describeDevice(userAgent),
    })),
    methods: can(self, "account", "read") ? shown(methods) : undefined,
    ban: readsAudit ? ban : undefined,
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requirePermission(context, "user", "get");
  const { id } = params;
  const form = await parseForm(request, userChange(todayOf(context)));
  if (!form.ok) return invalid(form.result);
  const { intent } = form.value;
  const actor = requireAct(context, USER_ACTS[intent]);
  if (form.value.intent === "impersonate") {
    const { impersonationReason: reason } = form.value;
    return impersonate({ request, context }, { userId: id, reason });
  }
  const undo = await undoOf(context, id, intent);
  const changed = await changeUser(mailServices(context), actor, id, form.value);
  if (!changed.ok && changed.error === "not_found") notFound();
  if (!changed.ok) return refuse(id, changed.message);
  const { message } = changed;
  const screen = withChoice(url.pathname + url.search, NO_CHOICE);
  const next = intent === "delete" ? href("/manager/users") : screen;
  return redirectWithToast(next, { kind: "success", message, ...(undo && { undo }) });
}

export const clientAction = sendForm;

export default function UserScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { user, mails, now } = loaderData;
  return (
    <>
      <ScreenTitle>{user.name || user.email}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
      <UserDetail
        {...loaderData}
        panels={<FeaturePanels<"userPage"> subject={user} panels={loaderData.panels} now={now} />}
        aside={<FeaturePanels<"userAside"> subject={user} panels={loaderData.aside} now={now} />}
        result={actionData}
      >
        {mails.length > 0 && <UserMails mails={mails} now={now} />}
      </UserDetail>
    </>
  );
}

/** Returns the manager's calendar day. */
function todayOf(context: Route.ActionArgs["context"]): string {
  const { now, timeZone } = context.get(requestContext);
  return formatsOf("en", timeZone).dayKey(now());
}

/** Returns the form that undoes a ban or its end; undefined for other changes. Reads the ban before it ends. */
async function undoOf(context: Route.ActionArgs["context"], id: string, intent: string) {
  const action = href("/manager/users/:id", { id });
  if (intent === "ban") return { action, intent: "unban" };
  if (intent !== "unban") return undefined;
  const { db } = context.get(servicesContext);
  const { timeZone } = context.get(requestContext);
  const { banReason, banExpires } = (await findUser(db, id)) ?? notFound();
  const until = banExpires && formatsOf("en", timeZone).dayKey(banExpires);
  const end: [string, string][] = until
    ? [
        ["duration", "date"],
        ["until", until],
      ]
    : [["duration", "forever"]];
  return {
    action,
    intent: "ban",
    fields: [["reason", banReason ?? ""], ...end] satisfies typeof end,
  };
}

async function impersonate(
  { request, context }: Pick<Route.ActionArgs, "request" | "context">,
  input: { userId: string; reason: string },
) {
  const current = getCurrentSession(context);
  const { db, keys, config } = context.get(servicesContext);
  const info = context.get(requestContext);
  const { secret, isSecure } = config;
  const call = { request, info, current };
  const started = await startImpersonation({ db, keys, secret, isSecure }, call, input);
  if (!started.ok) {
    const { error } = started;
    if (error === "not_found") notFound();
    return refuse(input.userId, `users:refusal.${error}`);
  }
  return redirect(href("/app"), { headers: started.headers });
}

/** Shows a refusal on the user's screen. */
function refuse(id: string, message: CheckedMessage) {
  return redirectWithToast(href("/manager/users/:id", { id }), { kind: "error", message });
}
