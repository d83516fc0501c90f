import type { ServerFacts } from "../../feature.server.ts";
import type { connectedApps } from "./feature.ts";
import { OPEN_CALLS } from "./provider-paths.ts";
import { findSignInPurpose } from "./sign-in-purpose.server.ts";

export const connectedAppsServer = {
  // Loaded with the first call of an app, because an isolate's start would take longer with it.
  authPlugins: async (host) => {
    const { providerPlugins } = await import("./provider-plugins.server.ts");
    return providerPlugins(host);
  },
  openCalls: OPEN_CALLS,
  signInPurpose: findSignInPurpose,
} satisfies ServerFacts<typeof connectedApps>;
