import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import {
  type CurrentSession,
  findSession,
  type SessionLookup,
} from "../features/auth/session.server.ts";
import { requestContext } from "../http/request-context.ts";
import { describeError, log } from "../log.ts";
import { servicesContext } from "../services.server.ts";

type LazySession = {
  find: () => Promise<CurrentSession | undefined>;
  /** What was found, when somebody asked. */
  found: () => Promise<SessionLookup | undefined> | undefined;
};

const sessionContext = createContext<LazySession>();

/** Offers the session to whoever asks; a page that does not ask costs no query. Prolongs a session that is in use. */
export const session: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { db, config } = context.get(servicesContext);
  const { now, afterAnswer, id } = context.get(requestContext);
  let lookup: Promise<SessionLookup | undefined> | undefined;
  context.set(sessionContext, {
    find: async () => {
      lookup ??= findSession(request, {
        db,
        secret: config.secret,
        isSecure: config.isSecure,
        now: now(),
      });
      return (await lookup)?.current;
    },
    found: () => lookup,
  });

  const response = await next();

  const found = await context
    .get(sessionContext)
    .found()
    ?.catch(() => undefined);
  const touch = found?.touch;
  if (touch) {
    afterAnswer(() =>
      touch().catch((error) =>
        log("warn", "session.not_touched", { request: id, ...describeError(error) }),
      ),
    );
  }
  // Signing out or in has the last word on the cookie.
  if (found?.cookie && !response.headers.has("Set-Cookie")) {
    response.headers.append("Set-Cookie", found.cookie);
  }
  return response;
};

/** Who is asking, or undefined: for pages that are open to all. */
export function findCurrentSession(
  context: Readonly<RouterContextProvider>,
): Promise<CurrentSession | undefined> {
  return context.get(sessionContext).find();
}
