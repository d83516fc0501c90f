import { AsyncLocalStorage } from "node:async_hooks";

/**
 * One request's D1 session, so that the request reads its own writes, from the nearest replica; and its round trips so
 * far.
 */
type RequestDatabase = { session: D1DatabaseSession; roundTrips: number };

const current = new AsyncLocalStorage<RequestDatabase>();

/**
 * Wraps the database for objects that live as long as the isolate (Drizzle, better-auth). Inside `withD1Session` their
 * statements use that request's session, elsewhere the primary.
 */
export function sessionAware(d1: D1Database): D1Database {
  return {
    prepare(query) {
      const request = current.getStore();
      return request ? counted(request.session.prepare(query), request) : d1.prepare(query);
    },
    batch(statements) {
      const request = current.getStore();
      if (request) request.roundTrips += 1;
      return (request?.session ?? d1).batch(statements);
    },
    exec: (query) => d1.exec(query),
    withSession: (constraint) => d1.withSession(constraint),
    dump: () => d1.dump(),
  };
}

/** Makes a statement count a round trip when it is sent alone. It stays D1's own object, because `batch` needs that. */
function counted(statement: D1PreparedStatement, request: RequestDatabase): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  const send = {
    all: statement.all,
    run: statement.run,
    raw: statement.raw,
    first: statement.first,
  };
  return Object.assign(statement, {
    bind: (...values: unknown[]) => counted(bind(...values), request),
    ...Object.fromEntries(
      Object.entries(send).map(([name, method]) => [
        name,
        (...options: unknown[]) => {
          request.roundTrips += 1;
          return Reflect.apply(method, statement, options);
        },
      ]),
    ),
  });
}

/**
 * Runs a request's work in a D1 session. The session starts at the primary for "first-primary", at a replica no older
 * than a given bookmark, or at the nearest replica without a start. Returns the work's result, the new bookmark and the
 * number of round trips.
 */
export async function withD1Session<T>(
  d1: D1Database,
  start: "first-primary" | D1SessionBookmark | undefined,
  work: () => Promise<T>,
): Promise<{ result: T; bookmark: string | undefined; roundTrips: number }> {
  const request = { session: d1.withSession(start ?? "first-unconstrained"), roundTrips: 0 };
  const result = await current.run(request, work);
  return {
    result,
    bookmark: request.session.getBookmark() ?? undefined,
    roundTrips: request.roundTrips,
  };
}
