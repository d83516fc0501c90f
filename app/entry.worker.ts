import * as build from "virtual:react-router/server-build";
import { createRequestHandler } from "@react-router/cloudflare";
import { RouterContextProvider } from "react-router";
import { withBoundedWait } from "./db/bounded-d1.server.ts";
import {
  isPostedCallback,
  isProviderCallback,
  providerOrigins,
} from "./features/auth/sign-in/providers.ts";
import {
  type Config,
  ConfigurationError,
  listProblems,
  parseConfig,
  requireServableConfiguration,
} from "./features/environment/config.ts";
import { readAhead } from "./http/body.ts";
import { refuseCall } from "./http/call-refusal.server.ts";
import { openCookies, sealCookies } from "./http/host-cookies.ts";
import { innerCallContext } from "./http/inner-call.ts";
import { findLanguage } from "./http/language-detection.server.ts";
import { methodNotAllowed, nameMethodRefusal } from "./http/method-refusal.ts";
import {
  allowAnyOrigin,
  answerOpenPreflight,
  isOpenCall,
  withoutCookies,
} from "./http/open-calls.ts";
import { isForeignMutation, isMutation, isPageAtWrongOrigin } from "./http/origin.ts";
import { keepPostedForm, postedFormContext } from "./http/posted-form.server.ts";
import { isDataPrefetch } from "./http/prefetch.ts";
import { withholdPublicCookies } from "./http/public-cookies.ts";
import { type RequestInfo, requestContext } from "./http/request-context.ts";
import { setSecureHeaders } from "./http/secure-headers.ts";
import { findTimeZone } from "./http/time-zone.ts";
import { allowTrustedOrigin, answerPreflight, trustedOriginOf } from "./http/trusted-origins.ts";
import { i18nFor } from "./i18n/i18n.server.ts";
import { describeError, log } from "./runtime/log.ts";
import { servicesContext } from "./runtime/services-context.ts";
import { DATABASE_RETRY_SECONDS } from "./ui/feedback/retry-seconds.ts";
import { clientNetwork } from "./values/client-network.ts";
import { isLoopbackHost } from "./values/loopback.ts";
import { tellProblems, withLastResort } from "./worker/last-resort-page.server.tsx";
import { runScheduled } from "./worker/scheduled.server.ts";
import { createServices, type Services } from "./worker/services.server.ts";
import { withUnavailableDatabase } from "./worker/unavailable-database.server.ts";

export { Identity } from "./features/service-binding/entrypoint.server.ts";
export { FeatureAlarm } from "./worker/feature-alarm.server.ts";
export { MailSender } from "./worker/mail-sender.server.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

const handleRequest = createRequestHandler({
  build: withUnavailableDatabase(build),
  mode: import.meta.env.MODE,
  getLoadContext({ context: { cloudflare } }) {
    const { routerContext } = cloudflare.data;
    if (!(routerContext instanceof RouterContextProvider)) {
      throw new Error("The event carries no router context: call the handler through toEvent");
    }
    return routerContext;
  },
});

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** Everything that is needed to answer a request. */
type Call = { info: RequestInfo; services: Services; env: Env; ctx: ExecutionContext };

type Isolate = { config: Config; services: Services };

/** An isolate has one `env`. The tests give each of their databases an `env` of its own. */
const isolates = new WeakMap<Env, Isolate>();

/** Builds config, Drizzle, better-auth and mailer once for each isolate, because that takes 3 ms. */
function getIsolate(env: Env): Isolate {
  const known = isolates.get(env);
  if (known) return known;
  const config = parseConfig(env);
  const services = createServices(config, env);
  const isolate = { config, services };
  isolates.set(env, isolate);
  return isolate;
}

export default {
  async fetch(request, env, ctx) {
    const afterwards: (() => Promise<unknown>)[] = [];
    let info = describeRequest(request, (work) => afterwards.push(work));
    const startedAt = info.now();
    let config: Config | undefined;
    let isOpen = false;
    let response: Response;
    try {
      const { services } = getIsolate(env);
      config = services.config;
      isOpen = isOpenCall(request, services.features.openCalls);
      if (config.isDemo) info = withoutClient(info);
      requireServableConfiguration(config, info.isLoopback);
      const { isSecure } = config;
      const read = await readAhead(isOpen ? withoutCookies(request) : request);
      const opened = isSecure ? openCookies(read) : read;
      const isMisplaced = !info.isLoopback && isPageAtWrongOrigin(request, config.baseUrl);
      const call = { info, services, env, ctx };
      const answered = await withBoundedWait(() =>
        isMisplaced
          ? nameOrigins(request, services.config.baseUrl, call.info)
          : answer(opened, call),
      );
      response = answered.isUnavailable ? withRetryAfter(answered.result) : answered.result;
      // What is refused writes no event.
      if (mayWrite(request) && response.status < 400) {
        for (const work of services.features.afterWrite) {
          afterwards.push(() => work(services, startedAt, info.now()));
        }
      }
    } catch (error) {
      response = await refuseToServe(error, request, info, env);
    }
    response = await withLastResort(request, info.id, response);
    // Copied, because the headers of a redirect or a static response may be immutable.
    const secured = new Response(response.body, response);
    setSecureHeaders(secured.headers, {
      nonce: info.nonce,
      isSecure: config?.isSecure ?? true,
      usesTurnstile: config?.turnstile !== undefined,
      formOrigins: [...providerOrigins(config?.social ?? {}), ...info.formOrigins],
    });
    if (isOpen) allowAnyOrigin(secured.headers);
    else allowTrustedOrigin(secured.headers, request, config?.trustedOrigins ?? []);
    withholdPublicCookies(secured.headers);
    if (config?.isSecure) sealCookies(secured.headers);
    secured.headers.set("X-Request-Id", info.id);
    for (const work of afterwards) ctx.waitUntil(work());
    return secured;
  },

  async scheduled({ cron, scheduledTime }, env) {
    try {
      const { config, services } = getIsolate(env);
      requireServableConfiguration(config, true);
      await runScheduled(services, { cron, now: new Date(scheduledTime) });
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      log("error", "configuration.incomplete", { reason: error.message });
    }
  },
} satisfies ExportedHandler<Env>;

async function answer(request: Request, call: Call): Promise<Response> {
  if (isDataPrefetch(request)) return new Response(null, { status: 204 });
  const { info, services } = call;
  const { baseUrl, trustedOrigins } = services.config;
  const isOpen = isOpenCall(request, services.features.openCalls);
  const preflight = isOpen
    ? answerOpenPreflight(request)
    : answerPreflight(request, trustedOrigins);
  if (preflight) return preflight;
  const isTrusted = isOpen || trustedOriginOf(request, trustedOrigins) !== undefined;
  if (!isTrusted && isForeignMutation(request, baseUrl) && !isPostedCallback(request)) {
    const { origin } = new URL(request.url);
    log("warn", "origin.refused", {
      request: info.id,
      method: request.method,
      baseUrl,
      openedAt: origin,
      origin: request.headers.get("origin"),
    });
    const language = await findLanguage(request);
    return refuseCall(language, {
      status: 403,
      code: "FORBIDDEN_ORIGIN",
      message: "codes:FORBIDDEN_ORIGIN",
    });
  }
  if (!METHODS.includes(request.method)) {
    // The router would answer these before any middleware, and its error page needs what the middleware sets.
    return methodNotAllowed(await findLanguage(request), METHODS);
  }
  return route(request, call);
}

async function route(request: Request, call: Call): Promise<Response> {
  const { info, services } = call;
  const routerContext = new RouterContextProvider();
  routerContext.set(servicesContext, services);
  routerContext.set(requestContext, info);
  routerContext.set(postedFormContext, keepPostedForm(request));
  routerContext.set(innerCallContext, (inner) => route(inner, call));
  const event = toEvent(atBaseUrl(request, services.config.baseUrl), call, routerContext);
  return nameMethodRefusal(request, await handleRequest(event));
}

/** True for a request that may write: a mutation, or the GET with which a provider sends the browser back. */
function mayWrite(request: Request): boolean {
  return isMutation(request) || isProviderCallback(new URL(request.url).pathname);
}

/** Returns a request as the adapter of `@react-router/cloudflare` takes it: an event of Cloudflare Pages. */
function toEvent(
  request: IncomingRequest,
  { env, ctx }: Call,
  routerContext: RouterContextProvider,
) {
  return {
    request,
    env,
    data: { routerContext },
    params: {},
    functionPath: "",
    waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work),
    passThroughOnException: () => ctx.passThroughOnException(),
    next: async () => new Response(null, { status: 404 }),
  };
}

/** Returns the same request for the configured origin, so that the client's Host header has no effect. */
function atBaseUrl(request: Request, baseUrl: string): IncomingRequest {
  const { origin, pathname, search } = new URL(request.url);
  const atOrigin = origin === baseUrl ? request : new Request(baseUrl + pathname + search, request);
  if (!isIncoming(atOrigin)) throw new TypeError("A request of this runtime has a `cf` property");
  return atOrigin;
}

function isIncoming(request: Request): request is IncomingRequest {
  return "cf" in request;
}

function describeRequest(request: Request, afterAnswer: RequestInfo["afterAnswer"]): RequestInfo {
  const cf = request.cf as Partial<IncomingRequestCfProperties> | undefined;
  const location = [cf?.city, cf?.country].filter((part) => typeof part === "string").join(", ");
  const ipAddress = request.headers.get("cf-connecting-ip") ?? undefined;
  return {
    id: request.headers.get("cf-ray") ?? crypto.randomUUID(),
    nonce: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))),
    now: () => new Date(),
    afterAnswer,
    limitedIpAddress: ipAddress && clientNetwork(ipAddress),
    clientIpAddress: ipAddress,
    userAgent: request.headers.get("user-agent") ?? undefined,
    location: location || undefined,
    timeZone: findTimeZone(request, cf?.timezone),
    formOrigins: [],
    isLoopback: isLoopbackHost(new URL(request.url).hostname),
  };
}

/** Removes the client's data, because in a demonstration all visitors see each other's sessions. */
function withoutClient(info: RequestInfo): RequestInfo {
  return { ...info, clientIpAddress: undefined, userAgent: undefined, location: undefined };
}

/** Says when an answer that the database did not give may be asked for again. */
function withRetryAfter(response: Response): Response {
  if (response.status !== 503 || response.headers.has("Retry-After")) return response;
  const told = new Response(response.body, response);
  told.headers.set("Retry-After", String(DATABASE_RETRY_SECONDS));
  return told;
}

/** Says at which origin the site is. `Host` shapes nothing, so the page cannot simply be served here. */
async function nameOrigins(request: Request, baseUrl: string, info: RequestInfo) {
  const openedAt = new URL(request.url).origin;
  log("error", "origin.unexpected", { request: info.id, baseUrl, openedAt });
  const { t } = i18nFor(await findLanguage(request));
  return new Response(`${t("common:wrongOrigin", { baseUrl, openedAt })}\n`, {
    status: 421,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

async function refuseToServe(error: unknown, request: Request, info: RequestInfo, env: Env) {
  if (error instanceof ConfigurationError) {
    log("error", "configuration.incomplete", { request: info.id, reason: error.message });
    const problems = new Set([...listProblems(env, info.isLoopback), ...error.problems]);
    return tellProblems(request, [...problems]);
  }
  log("error", "request.failed", { request: info.id, ...describeError(error) });
  return new Response("Something went wrong\n", {
    status: 500,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
