import { eq } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../../db/db.server.ts";
import { describeEvent, selectNewestEvents } from "../audit/audit-log.server.ts";
import { repository } from "./tables.server.ts";

const SHOWN_EVENTS = 10;

type Asked = {
  mayReadEvents: boolean;
  /** Statements of the features' panels. */
  panels: readonly BatchItem<"sqlite">[];
};

/**
 * Loads a repository with its newest events, in one round trip. They are undefined for a manager who may not see them.
 * Undefined when there is no such repository.
 */
export async function findRepositoryOverview(db: Db, id: string, { mayReadEvents, panels }: Asked) {
  const [[row], events, ...panelRows] = await db.batch([
    db.select().from(repository).where(eq(repository.id, id)),
    selectNewestEvents(db, mayReadEvents ? SHOWN_EVENTS : 0, { target: id }),
    ...panels,
  ]);
  if (!row) return undefined;
  return {
    repository: row,
    events: mayReadEvents ? events.map(describeEvent) : undefined,
    panelRows,
  };
}

/** Loads a repository with what panels show, in one round trip. Undefined when there is no such repository. */
export async function findRepositoryWith(
  db: Db,
  id: string,
  panels: readonly BatchItem<"sqlite">[],
) {
  const [[row], ...panelRows] = await db.batch([
    db.select().from(repository).where(eq(repository.id, id)),
    ...panels,
  ]);
  return row && { repository: row, panelRows };
}
