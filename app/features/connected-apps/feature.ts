import type texts from "../../../locales/en/connected-apps.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

const APPS = { to: "/manager/settings/apps", needs: ["settings", "read"] } as const;

/** Other apps that sign people in with this site: an OpenID provider. */
export const connectedApps = {
  name: "connected-apps",
  texts: { "connected-apps": textsOf<typeof texts>() },
  navigation: [
    { ...APPS, in: "settings", label: "settings:nav.apps" },
    {
      ...APPS,
      in: "pages",
      label: "search:pages.apps",
      icon: "log-in",
      words: "search:words.apps",
    },
  ],
  things: {
    app: {
      table: "oauth_client",
      title: "name",
      icon: "log-in",
      label: "common:connectedApps.all",
      to: "/manager/settings/apps/:id",
      needs: ["settings", "read"],
    },
  },
  audit: {
    "app.created": {
      icon: "log-in",
      fields: ["startPage", "redirectUris", "afterSignOut", "scopes", "asksPeople"],
    },
    "app.updated": { icon: "pencil" },
    "app.secret_rotated": { icon: "key-round" },
    "app.disabled": { icon: "ban" },
    "app.enabled": { icon: "log-in" },
    "app.deleted": { icon: "trash-2" },
    "app.connected": { icon: "log-in", webhook: { type: "user.app_connected", for: "site" } },
    "app.disconnected": {
      icon: "log-out",
      webhook: { type: "user.app_disconnected", for: "site" },
    },
  },
} as const satisfies FeatureFacts;
