import { data, type RouterContextProvider, redirect } from "react-router";
import type { z } from "zod";
import { conflict, type FormResult, invalid } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { requireKeyProof } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { type OutsideRefusal, readOutsideUrl } from "../../../values/outside-url.ts";
import { tellNews } from "../../program-news/tell-news.server.ts";
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  repeatDelivery,
  resumeWebhook,
  rotateWebhook,
  sendSample,
  skipDelivery,
  updateWebhook,
  type WebhookCall,
} from "../commands.server.ts";
import { findDeliveries } from "../deliveries.server.ts";
import { chosenIn } from "../event-groups.ts";
import { type EventType, eventTypesFor } from "../events.ts";
import type { WebhookForm, WebhooksForm } from "../input.ts";
import { WebhookSearch } from "../input.ts";
import { MAX_WEBHOOKS } from "../limits.ts";
import { BIN_URL } from "../receiver-url.ts";
import { type SampleType, sampleOf, TEST_TYPE } from "../samples.ts";
import { forgetNoWebhooks, wakeDue } from "../wake.server.ts";
import { selectWebhooks, shownWebhook } from "../webhooks.server.ts";

type Context = Readonly<RouterContextProvider>;
type Rows = Awaited<ReturnType<typeof selectWebhooks>>;
type OwnerKind = "site" | "organization";

/** What both screens are drawn from. */
type Page = {
  context: Context;
  url: URL;
  owner: OwnerKind;
  path: string;
  mayChange: boolean;
};

export function webhooksPage({ context, url, owner, path, mayChange }: Page, rows: Rows) {
  return {
    webhooks: rows.map((row) => shownWebhook(row, mayChange)),
    offered: eventTypesFor(owner),
    isFull: rows.length >= MAX_WEBHOOKS[owner],
    isNew: mayChange && parseSearch(url, WebhookSearch).state === "new",
    isOfSite: owner === "site",
    isLocal: isLocal(context),
    mayChange,
    path,
    now: context.get(requestContext).now(),
  };
}

/**
 * True on a local site, whose receivers may be on the same machine: `BASE_URL` is loopback, and so
 * is the host that the request was sent to. The `BASE_URL` of a deployed site never is, whatever
 * the request's headers.
 */
function isLocal(context: Context): boolean {
  const { config } = context.get(servicesContext);
  return config.isLoopback && context.get(requestContext).isLoopback;
}

/** Returns what the screen with one webhook shows; answers 404 without one. */
export async function webhookPage({ context, url, owner, path, mayChange }: Page, [row]: Rows) {
  const webhook = row ? shownWebhook(row, mayChange) : notFound();
  const { db } = context.get(servicesContext);
  const { state, before, sample } = parseSearch(url, WebhookSearch);
  const isOlder = before !== undefined;
  const isOfSite = owner === "site";
  const now = context.get(requestContext).now();
  const { organizationId } = webhook;
  const offered = eventTypesFor(owner);
  const types: readonly SampleType[] = [TEST_TYPE, ...offered];
  const type = types.find((one) => one === sample) ?? TEST_TYPE;
  return {
    ...(await findDeliveries(db, webhook, { isOfSite, organizationId, before, now })),
    webhook,
    isOlder,
    isOfSite,
    isLocal: isLocal(context),
    mayChange,
    path,
    now,
    offered,
    sample: { type, body: sampleOf(type, { id: "sample-event", at: now }) },
    isEdited: mayChange && state === "edit",
  };
}

type Change<Form> = {
  context: Context;
  url: URL;
  /** Whose webhooks, and who changes them. */
  call: Omit<WebhookCall, "db" | "keys">;
  path: string;
  form: Form;
  result: FormResult;
};

/** Makes a webhook. Returns its secret, or the form with its errors. */
export async function addWebhook(change: Change<z.infer<typeof WebhooksForm>>) {
  const { context, url, path, form, result } = change;
  requireKeyProof(context, url, `${path}?state=new`);
  const values = readValues(change, form);
  if (!values.ok) return invalid(result, values.errors);
  const made = await createWebhook(callOf(change), values);
  if (typeof made === "string" || "retryAfterSeconds" in made) return refuse(form, result, made);
  forgetNoWebhooks(context.get(servicesContext).db);
  tellOthers(change);
  return data({ values: {}, errors: {}, ...made });
}

/** Mails those who may change the webhooks too. */
function tellOthers({ context, call: { owner } }: Pick<Change<unknown>, "context" | "call">) {
  const { db, mailer, config } = context.get(servicesContext);
  const info = context.get(requestContext);
  const organizationId = owner === "site" ? null : owner.organizationId;
  const services = { db, mailer, baseUrl: config.baseUrl };
  info.afterAnswer(() => tellNews(services, organizationId, info.now()));
}

function refuse(
  { bin }: { bin?: boolean },
  result: FormResult,
  why: "full" | "taken" | { retryAfterSeconds: number },
) {
  if (why === "taken") {
    const errors: Record<string, string[]> = bin
      ? { bin: ["webhooks:binTaken"] }
      : { url: ["webhooks:urlTaken"] };
    return invalid(result, errors, { status: 409 });
  }
  if (why === "full") return invalid(result, { "": ["webhooks:full"] }, { status: 409 });
  return invalid(result, { "": ["codes:TOO_MANY_REQUESTS"] }, { status: 429, ...why });
}

/**
 * Runs a form of the screen with one webhook. `list` is the URL of all. When another change came
 * first, the answer is the form with what is stored now as `theirs`.
 */
export async function changeWebhook(change: Change<WebhookForm>, id: string, list: string) {
  const { context, url, form, path, result } = change;
  const asksKeyProof = ["update-webhook", "resume-webhook", "rotate-webhook"];
  if (asksKeyProof.includes(form.intent)) requireKeyProof(context, url, path);
  const call = callOf(change);
  const { config } = context.get(servicesContext);
  switch (form.intent) {
    case "update-webhook": {
      const values = readValues(change, form);
      if (!values.ok) return invalid(result, values.errors);
      const isSaved = await updateWebhook(call, id, { ...values, version: form.version });
      if (typeof isSaved !== "boolean") return refuse(form, result, isSaved);
      if (isSaved) {
        tellOthers(change);
        return done(change, path, "webhooks:toast.saved");
      }
      const [current] = await selectWebhooks(call.db, call.owner, id);
      return conflict(result, current ? shownWebhook(current, true) : notFound());
    }
    case "pause-webhook":
      if ((await pauseWebhook(call, id)) === undefined) notFound();
      return done(change, path, "webhooks:toast.paused");
    case "resume-webhook":
      if ((await resumeWebhook(call, id)) === undefined) notFound();
      return done(change, path, "webhooks:toast.resumed");
    case "rotate-webhook": {
      const secret = await rotateWebhook(call, id);
      return secret ? data({ values: {}, errors: {}, secret }) : notFound();
    }
    case "delete-webhook":
      if (!(await deleteWebhook(call, id))) notFound();
      return done(change, list, "webhooks:toast.deleted");
    case "repeat-delivery":
      if (!(await repeatDelivery(call, id, form.delivery))) notFound();
      wake(change);
      // The screen shows that it is being tried again, and then the outcome.
      return redirect(path);
    case "skip-delivery": {
      const isSkipped = await skipDelivery(call, id, form.delivery);
      if (isSkipped) return done(change, path, "webhooks:toast.skipped");
      return isSkipped === undefined
        ? notFound()
        : invalid(result, { "": ["webhooks:notWaiting"] }, { status: 409 });
    }
    case "sample-webhook": {
      const hosts = { ...config, isLoopback: isLocal(context) };
      const sample = await sendSample(call, id, form.sample, hosts);
      if (!sample) notFound();
      if (sample === "left") {
        return invalid(result, { "": ["webhooks:makerLeftSample"] }, { status: 409 });
      }
      if ("retryAfterSeconds" in sample) return refuse({}, result, sample);
      return data({ values: {}, errors: {}, sample });
    }
  }
}

function callOf({ context, call }: Pick<Change<unknown>, "context" | "call">): WebhookCall {
  const { db, keys } = context.get(servicesContext);
  return { db, keys, ...call };
}

/** Leads to a screen with a toast, and wakes the senders: the change may have given them something to do. */
function done(change: Pick<Change<unknown>, "context">, to: string, message: MessageKey) {
  wake(change);
  return redirectWithToast(to, { kind: "success", message });
}

function wake({ context }: Pick<Change<unknown>, "context">) {
  const services = context.get(servicesContext);
  const info = context.get(requestContext);
  info.afterAnswer(() => wakeDue(services, info.now()));
}

/** Message of a URL that cannot receive webhooks. */
const URL_ERRORS: Record<OutsideRefusal, MessageKey> = {
  invalid: "webhooks:urlInvalid",
  notHttps: "webhooks:urlNotHttps",
  credentials: "webhooks:urlCredentials",
  port: "webhooks:urlPort",
  ipAddress: "webhooks:urlIpAddress",
  notPublic: "webhooks:urlNotPublic",
  own: "webhooks:urlOwn",
  ownDomain: "webhooks:urlOwnDomain",
};

type Typed = {
  url: string;
  bin: boolean;
  events: EventType[];
  groups: string[];
  full: string[];
  ipAddress: boolean;
};

/** Checks what no schema knows: the product's own hosts, and what the owner is offered. */
function readValues({ context, call }: Pick<Change<unknown>, "context" | "call">, typed: Typed) {
  const { baseUrl, webhookHosts } = context.get(servicesContext).config;
  const isOfSite = call.owner === "site";
  const offered = eventTypesFor(isOfSite ? "site" : "organization");
  const receiver = typed.bin
    ? { ok: true as const, url: BIN_URL }
    : readOutsideUrl(typed.url, baseUrl, {
        allowedHosts: webhookHosts,
        isLocal: isLocal(context),
      });
  const events = chosenIn(offered, typed);
  const errors: Record<string, string[]> = {
    ...(!receiver.ok && { url: [URL_ERRORS[receiver.why]] }),
    ...(events.length === 0 && { events: ["webhooks:eventsRequired"] }),
  };
  const withIpAddress = isOfSite && typed.ipAddress;
  return receiver.ok && events.length > 0
    ? { ok: true as const, url: receiver.url, events, withIpAddress }
    : { ok: false as const, errors };
}
