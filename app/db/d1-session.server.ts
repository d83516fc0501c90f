import { AsyncLocalStorage } from "node:async_hooks";

/** A request's way to the database: one D1 session, so that it reads its own writes, from the nearest replica. */
type RequestDatabase = { session: D1DatabaseSession; roundTrips: number };

const current = new AsyncLocalStorage<RequestDatabase>();

/**
 * The database as what lives as long as the isolate sees it (Drizzle, better-auth): inside `withD1Session` its
 * statements go to that request's session, elsewhere to the primary.
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

/** The statement, counting when it travels alone. It stays D1's own object, which is what `batch` wants. */
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
 * Does a request's work in a D1 session. It starts at the primary for "first-primary", no earlier than a bookmark, or
 * at the nearest replica when no start is given. Returns the work's result, the new bookmark, and the round trips.
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
