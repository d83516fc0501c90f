import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { conflict, type FormResult, invalid } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { messageReference } from "../../../ui/text/message.tsx";
import type { Actor } from "../../audit/audit.server.ts";
import { readPictureForm, refusePicture } from "../../avatars/picture-form.server.ts";
import { deletePicture, storePicture } from "../../avatars/picture-store.server.ts";
import {
  type AppOwner,
  type AppRefusal,
  changeAppLogo,
  createApp,
  deleteApp,
  findApp,
  rotateSecret,
  type ShownApp,
  switchApp,
  updateApp,
} from "../apps.server.ts";
import { callScopesOf, memberCallScopesOf } from "../call-scopes.server.ts";
import { MAX_ORGANIZATION_APPS } from "../limits.ts";
import type { AppForm, NewAppForm, TypedApp } from "../office-input.ts";
import { readApp } from "../read-app.ts";
import type { AppKind } from "../redirect-uris.ts";

type Context = Readonly<RouterContextProvider>;

/** What is done with an app. */
export type AppCommand = "create" | "logo" | z.output<typeof AppForm>["intent"];

/** A form that a manager or an owner has sent. */
export type AppChange = {
  context: Context;
  owner: AppOwner;
  /** Returns who acts, once they have proved who they are and may do it. */
  actorFor: (command: AppCommand) => Promise<Actor>;
  list: string;
  pathOf: (id: string) => string;
  result: FormResult;
};

/** Makes an app. Returns its secret, which is shown once, or the form with its errors. */
export async function addApp(change: AppChange, form: z.output<typeof NewAppForm>) {
  const { pathOf, result } = change;
  const { kind, ...typed } = form;
  const read = readFor(change, typed, kind);
  if (!read.ok) return invalid(result, read.errors);
  const made = await createApp(await callFor(change, "create"), kind, read.input);
  if (typeof made === "string" || "retryAfterSeconds" in made) return refuse(change, made);
  const { id, clientId, secret } = made;
  if (secret !== undefined) return data({ values: {}, errors: {}, made: { id, clientId, secret } });
  return done(pathOf(id), "connected-apps:office.toast.created");
}

function refuse({ result, owner }: AppChange, why: AppRefusal) {
  if (why === "off") {
    return invalid(result, { "": ["connected-apps:owned.off"] }, { status: 409 });
  }
  if (why === "full") {
    const text =
      owner === "site"
        ? "connected-apps:office.full"
        : messageReference("connected-apps:owned.full", { maximum: MAX_ORGANIZATION_APPS });
    return invalid(result, { "": [text] }, { status: 409 });
  }
  return invalid(result, { "": ["codes:TOO_MANY_REQUESTS"] }, { status: 429, ...why });
}

/** Finds an app of the owner, for managers any; answers 404 without one. */
export async function requireApp(context: Context, owner: AppOwner, id: string): Promise<ShownApp> {
  const { db } = context.get(servicesContext);
  return (await findApp(db, id, context.get(requestContext).now(), owner)) ?? notFound();
}

/**
 * Answers 404 to a manager who would change what an organization's app is, which is for its owners,
 * or what an app is that says it itself.
 */
export function requireChangeable(app: ShownApp, owner: AppOwner): ShownApp {
  const isOfOthers = owner === "site" && app.organization !== null;
  return isOfOthers || app.isRegistered ? notFound() : app;
}

/** Changes or removes the logo of an app, as a posted picture says. */
export async function saveLogo(change: AppChange, id: string, request: Request) {
  const { context, owner, pathOf } = change;
  const app = requireChangeable(await requireApp(context, owner, id), owner);
  const call = await callFor(change, "logo");
  const { avatars } = context.get(servicesContext);
  const form = await readPictureForm(request);
  if (!avatars) return refusePicture("logo", "unavailable");
  if (!form.ok) return refusePicture("logo", form.reason);
  const thing = `app:${app.id}` as const;
  const stored = form.picture && (await storePicture(avatars, { thing }, form.picture));
  if (stored && !stored.ok) return refusePicture("logo", stored.error);
  const logo = stored?.name ?? null;
  const isChanged = await changeAppLogo(call, app, logo);
  forgetLogo(context, isChanged ? app.logo : logo);
  if (!isChanged) notFound();
  return done(pathOf(id), `organizations:logo.${logo === null ? "removed" : "changed"}`);
}

function forgetLogo(context: Context, logo: string | null): void {
  const { avatars } = context.get(servicesContext);
  context.get(requestContext).afterAnswer(() => deletePicture(avatars, "thing", logo));
}

/** Runs a form of the screen with one app. */
export async function changeApp(change: AppChange, id: string, form: z.output<typeof AppForm>) {
  const { context, owner, list, pathOf, result } = change;
  const app = await requireApp(context, owner, id);
  if (form.intent === "update" || form.intent === "rotate") requireChangeable(app, owner);
  switch (form.intent) {
    case "update":
      return saveApp(change, app, form);
    case "rotate": {
      const call = await callFor(change, "rotate");
      if (app.kind === "public") return notFound();
      const secret = await rotateSecret(call, app);
      return secret === undefined
        ? invalid(result, { "": ["connected-apps:office.notRotated"] }, { status: 409 })
        : data({ values: {}, errors: {}, secret });
    }
    case "disable":
      await switchApp(await callFor(change, "disable"), app, true);
      return done(pathOf(id), "connected-apps:office.toast.disabled");
    case "enable":
      if (!(await switchApp(await callFor(change, "enable"), app, false)) && app.disabledBySite) {
        return invalid(result, { "": ["connected-apps:owned.offBySite"] }, { status: 409 });
      }
      return done(pathOf(id), "connected-apps:office.toast.enabled");
    case "delete":
      if (!(await deleteApp(await callFor(change, "delete"), app))) notFound();
      forgetLogo(context, app.logo);
      return done(list, "connected-apps:office.toast.deleted");
  }
}

type Update = Extract<z.output<typeof AppForm>, { intent: "update" }>;

async function saveApp(change: AppChange, app: ShownApp, form: Update) {
  const { context, owner, pathOf, result } = change;
  const read = readFor(change, form, app.kind);
  if (!read.ok) return invalid(result, read.errors);
  const call = await callFor(change, "update");
  if (await updateApp(call, app, read.input, form.version)) {
    return done(pathOf(app.id), "connected-apps:office.toast.saved");
  }
  return conflict(result, await requireApp(context, owner, app.id));
}

/** Reads the fields. The people of an organization's app are always asked. */
function readFor({ context, owner }: AppChange, typed: TypedApp, kind: AppKind) {
  const { features } = context.get(servicesContext);
  const skipConsent = owner === "site" && typed.skipConsent;
  const callScopesFor = owner === "site" ? callScopesOf : memberCallScopesOf;
  return readApp({ ...typed, skipConsent }, kind, callScopesFor(features));
}

async function callFor({ context, owner, actorFor }: AppChange, command: AppCommand) {
  const actor = await actorFor(command);
  return { db: context.get(servicesContext).db, actor, owner };
}

function done(to: string, message: MessageKey) {
  return redirectWithToast(to, { kind: "success", message });
}
