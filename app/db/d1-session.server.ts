import { AsyncLocalStorage } from "node:async_hooks";

/** The D1 session of the request that is being answered. */
const current = new AsyncLocalStorage<D1DatabaseSession>();

/**
 * Wraps the database for objects that live as long as the isolate (Drizzle, better-auth). Inside `withD1Session` their
 * statements use that request's session, elsewhere the primary.
 */
export function sessionAware(d1: D1Database): D1Database {
  return {
    prepare: (query) => (current.getStore() ?? d1).prepare(query),
    batch: (statements) => (current.getStore() ?? d1).batch(statements),
    exec: (query) => d1.exec(query),
    withSession: (constraint) => d1.withSession(constraint),
    dump: () => d1.dump(),
  };
}

/**
 * Runs a request's work in a D1 session, in which it reads its own writes. The session starts at the primary for
 * "first-primary", at a replica no older than a given bookmark, or at the nearest replica without a start. Returns the
 * work's result and the new bookmark.
 */
export async function withD1Session<T>(
  d1: D1Database,
  start: "first-primary" | D1SessionBookmark | undefined,
  work: () => Promise<T>,
): Promise<{ result: T; bookmark: string | undefined }> {
  const session = d1.withSession(start ?? "first-unconstrained");
  const result = await current.run(session, work);
  return { result, bookmark: session.getBookmark() ?? undefined };
}
