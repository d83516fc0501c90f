import { data, href, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { conflict, type FormResult, invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { APP_ACTS } from "../acts.ts";
import { AppScreen } from "../app-screen.tsx";
import {
  deleteApp,
  findApp,
  rotateSecret,
  type ShownApp,
  switchApp,
  updateApp,
} from "../apps.server.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { AppForm, AppSearch } from "../office-input.ts";
import { readApp } from "../read-app.ts";
import type { Route } from "./+types/settings-app.ts";

export const handle = { i18n: ["settings", "connected-apps", "scopes"] };

const list = href("/manager/settings/apps");
const pathOf = (id: string) => href("/manager/settings/apps/:id", { id });

type Context = Readonly<RouterContextProvider>;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const mayChange = can(user, "settings", "update");
  const { config, features } = context.get(servicesContext);
  const app = await requireApp(context, params.id);
  return {
    app,
    issuer: config.baseUrl,
    callScopes: callScopesOf(features),
    mayChange,
    isEdited: mayChange && !app.isRegistered && parseSearch(url, AppSearch).state === "edit",
    now: context.get(requestContext).now(),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, AppForm);
  if (!form.ok) return invalid(form.result);
  const app = await requireApp(context, params.id);
  const { value, result } = form;
  // It says of itself what it is; a manager switches it off or deletes it.
  if (value.intent === "update" && app.isRegistered) notFound();
  return value.intent === "update"
    ? saveApp(context, app, value, result)
    : changeApp(context, app, value.intent, result);
}

export const clientAction = sendForm;

export default function SettingsAppScreen({ loaderData, actionData }: Route.ComponentProps) {
  const path = pathOf(loaderData.app.id);
  return <AppScreen {...loaderData} list={list} path={path} result={actionData} />;
}

async function requireApp(context: Context, id: string): Promise<ShownApp> {
  const { db } = context.get(servicesContext);
  return (await findApp(db, id, context.get(requestContext).now())) ?? notFound();
}

type Update = Extract<z.output<typeof AppForm>, { intent: "update" }>;
type Command = Exclude<z.output<typeof AppForm>["intent"], "update">;

async function saveApp(context: Context, app: ShownApp, typed: Update, result: FormResult) {
  const { db, features } = context.get(servicesContext);
  const read = readApp(typed, app.kind, callScopesOf(features));
  if (!read.ok) return invalid(result, read.errors);
  const actor = requireAct(context, APP_ACTS.update);
  if (await updateApp({ db, actor }, app, read.input, typed.version)) {
    return done(pathOf(app.id), "connected-apps:office.toast.saved");
  }
  return conflict(result, await requireApp(context, app.id));
}

async function changeApp(context: Context, app: ShownApp, intent: Command, result: FormResult) {
  const actor = requireAct(context, APP_ACTS[intent]);
  const call = { db: context.get(servicesContext).db, actor };
  switch (intent) {
    case "rotate": {
      if (app.kind === "public") return notFound();
      const secret = await rotateSecret(call, app);
      return secret === undefined
        ? invalid(result, { "": ["connected-apps:office.notRotated"] }, { status: 409 })
        : data({ values: {}, errors: {}, secret });
    }
    case "disable":
      await switchApp(call, app, true);
      return done(pathOf(app.id), "connected-apps:office.toast.disabled");
    case "enable":
      await switchApp(call, app, false);
      return done(pathOf(app.id), "connected-apps:office.toast.enabled");
    case "delete":
      if (!(await deleteApp(call, app))) notFound();
      return done(list, "connected-apps:office.toast.deleted");
  }
}

function done(to: string, message: MessageKey) {
  return redirectWithToast(to, { kind: "success", message });
}
