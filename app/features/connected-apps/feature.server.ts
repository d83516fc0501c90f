import { sql } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { appCallers } from "./app-callers.server.ts";
import { areAppsOffered } from "./app-settings.server.ts";
import { isWaiting, selectApprovals } from "./approvals.server.ts";
import { APP_SOURCE, logosOf } from "./apps.server.ts";
import type { connectedApps } from "./feature.ts";
import { sendLogouts, wakeLogouts, wakeLogoutsAfterWrite } from "./logout-sender.server.ts";
import { endApps, ownAppData, selectAppsOf, shownApps } from "./own-apps.server.ts";
import { OPEN_CALLS } from "./provider-paths.ts";
import { pruneTokens } from "./prune.server.ts";
import { deleteUnusedApps } from "./registration.server.ts";
import { findSignInPurpose } from "./sign-in-purpose.server.ts";
import { oauthApproval, oauthClient } from "./tables.server.ts";

export const connectedAppsServer = {
  // Loaded with the first call of an app, because an isolate's start would take longer with it.
  authPlugins: async (host) => {
    const { providerPlugins } = await import("./provider-plugins.server.ts");
    return providerPlugins(host);
  },
  found: { app: { source: APP_SOURCE, detail: oauthClient.clientId } },
  appCallers,
  toDo: {
    callsWaiting: ({ id, now }) => sql`SELECT 1 FROM ${oauthApproval} WHERE ${isWaiting(id, now)}`,
  },
  openCalls: OPEN_CALLS,
  signInPurpose: findSignInPurpose,
  minute: [{ name: "wake logouts of apps", run: wakeLogouts }],
  afterWrite: wakeLogoutsAfterWrite,
  alarms: { "app-logout": sendLogouts },
  hour: [
    { name: "prune tokens of apps", run: ({ db }, now) => pruneTokens(db, now) },
    { name: "delete unused apps", run: ({ db }, now) => deleteUnusedApps(db, now) },
  ],
  pictures: { app: logosOf },
  endAccess: endApps,
  ownData: ownAppData,
  panels: {
    "organization-apps": areAppsOffered,
    "home-approvals": (_id, { id, now }) =>
      readOf(
        (db) => selectApprovals(db, id, now),
        (rows) => rows,
      ),
    "apps-of-user": (id, { now }) => readOf((db) => selectAppsOf(db, id, now), shownApps),
  },
} satisfies ServerFacts<typeof connectedApps>;
