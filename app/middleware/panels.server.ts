import type { SQL } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { ask, type Read } from "../db/read.server.ts";
import type { PanelFact, PanelPlace, PanelReader } from "../feature.ts";
import { joined, type KeysOf } from "../features.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { getCurrentSession } from "./current-user.ts";

const FACTS: Readonly<Record<string, PanelFact>> = joined("panels");

type MayDo = (needs: readonly [resource: string, action: string]) => boolean;

/**
 * Returns the statements of the features' panels in a page, for the page's batch, and what the
 * panels that its reader may see show then. `id` is what the page is about. The reader's id is
 * empty in a page for anonymous visitors.
 */
export function openPanels(
  context: Readonly<RouterContextProvider>,
  place: PanelPlace | KeysOf<"places">,
  id: string | SQL<string>,
  reader: Partial<Pick<PanelReader, "id" | "search">> = {},
) {
  const { now, timeZone } = context.get(requestContext);
  const asking: PanelReader = {
    id: reader.id ?? getCurrentSession(context).user.id,
    search: reader.search ?? new URLSearchParams(),
    timeZone,
    now: now(),
  };
  const { db, features } = context.get(servicesContext);
  const panels = Object.entries(FACTS).filter(([, panel]) => panel.in === place);
  const reads = panels.flatMap(([name]): [string, Read<unknown>][] => {
    const read = features.panels[name];
    return read ? [[name, read(id, asking)]] : [];
  });
  const { statements, results } = ask(db, Object.fromEntries(reads));
  return {
    statements,
    results: (rows: readonly unknown[], mayDo: MayDo): Record<string, unknown> => {
      const found = results(rows);
      const visible = panels.filter(([, { needs }]) => !needs || mayDo(needs));
      return Object.fromEntries(visible.map(([name]) => [name, found[name] ?? null]));
    },
  };
}
