import type texts from "../../../locales/en/connected-apps.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

const APPS = { to: "/manager/settings/apps", needs: ["settings", "read"] } as const;

/** Other apps that sign people in with this site: an OpenID provider. */
export const connectedApps = {
  name: "connected-apps",
  texts: { "connected-apps": textsOf<typeof texts>() },
  navigation: [
    {
      in: "appPages",
      to: "/app/account/apps",
      needs: ["apps", "app"],
      label: "search:pages.connectedApps",
      icon: "log-in",
      words: "search:words.connectedApps",
    },
    {
      in: "managerPages",
      to: "/manager/account/apps",
      needs: ["apps", "manager"],
      label: "search:pages.connectedApps",
      icon: "log-in",
      words: "search:words.connectedApps",
    },
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
  toDo: {
    callsWaiting: {
      to: "/manager/account/apps",
      needs: ["apps", "manager"],
      icon: "shield",
      label: "manager:dashboard.attention.callsWaiting",
    },
  },
  panels: {
    "home-approvals": { in: "home" },
    "own-apps": { in: "accountPage" },
    "apps-of-user": { in: "userPage", needs: ["session", "list"] },
  },
  audit: {
    "app.created": {
      icon: "log-in",
      fields: [
        "startPage",
        "redirectUris",
        "afterSignOut",
        "logoutUri",
        "apis",
        "scopes",
        "asksPeople",
        "registeredItself",
        "document",
      ],
      webhook: { type: "app.created", for: "site" },
    },
    "app.updated": { icon: "pencil", webhook: { type: "app.updated", for: "site" } },
    "app.secret_rotated": { icon: "key-round", webhook: { type: "app.updated", for: "site" } },
    "app.disabled": { icon: "ban", webhook: { type: "app.disabled", for: "site" } },
    "app.enabled": { icon: "log-in", webhook: { type: "app.enabled", for: "site" } },
    "app.deleted": { icon: "trash-2", webhook: { type: "app.deleted", for: "site" } },
    "settings.app_registration_changed": { icon: "settings", fields: ["byCall", "byDocument"] },
    "app.approval_asked": {
      icon: "shield",
      fields: ["call"],
      webhook: { type: "user.app_approval_asked", for: "site" },
    },
    "app.approval_given": {
      icon: "check",
      webhook: { type: "user.app_approval_given", for: "site" },
    },
    "app.approval_refused": {
      icon: "ban",
      webhook: { type: "user.app_approval_refused", for: "site" },
    },
    "app.connected": { icon: "log-in", webhook: { type: "user.app_connected", for: "site" } },
    "app.disconnected": {
      icon: "log-out",
      webhook: { type: "user.app_disconnected", for: "site" },
    },
  },
} as const satisfies FeatureFacts;
