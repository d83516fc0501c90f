import type { ServerFacts } from "../../feature.server.ts";
import { APP_SOURCE } from "./apps.server.ts";
import type { connectedApps } from "./feature.ts";
import { OPEN_CALLS } from "./provider-paths.ts";
import { oauthClient } from "./tables.server.ts";

export const connectedAppsServer = {
  // Loaded with the first call of an app, because an isolate's start would take longer with it.
  authPlugins: async (host) => {
    const { providerPlugins } = await import("./provider-plugins.server.ts");
    return providerPlugins(host);
  },
  found: { app: { source: APP_SOURCE, detail: oauthClient.clientId } },
  openCalls: OPEN_CALLS,
} satisfies ServerFacts<typeof connectedApps>;
