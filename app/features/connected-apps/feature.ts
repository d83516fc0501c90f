import type texts from "../../../locales/en/connected-apps.json";
import { type FeatureFacts, placeOf, textsOf } from "../../feature.ts";

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
  organizationPermissions: {
    app: { create: ["owner"], update: ["owner"], delete: ["owner"] },
  },
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
  places: {
    /** Below the own connected apps. `issuer` is the URL of this site. */
    "connected-apps:own": placeOf<{ issuer: string; area: "app" | "manager" }>(),
  },
  panels: {
    "home-approvals": { in: "home" },
    "own-apps": { in: "accountPage" },
    "organization-apps": { in: "organizationSettings", needs: ["app", "create"] },
    "apps-of-user": { in: "userPage", needs: ["session", "list"] },
  },
  audit: {
    "app.created": {
      icon: "log-in",
      fields: [
        "app",
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
      about: "app",
      webhook: { type: "app.created", for: "all" },
    },
    "app.updated": {
      icon: "pencil",
      about: "app",
      webhook: { type: "app.updated", for: "all" },
    },
    "app.secret_rotated": {
      icon: "key-round",
      about: "app",
      webhook: { type: "app.updated", for: "all" },
    },
    "app.disabled": { icon: "ban", about: "app", webhook: { type: "app.disabled", for: "all" } },
    "app.enabled": { icon: "log-in", about: "app", webhook: { type: "app.enabled", for: "all" } },
    "app.deleted": {
      icon: "trash-2",
      about: "app",
      webhook: { type: "app.deleted", for: "all" },
    },
    "app.logo_changed": {
      icon: "image-up",
      about: "app",
      webhook: { type: "app.updated", for: "all" },
    },
    "app.logo_removed": {
      icon: "log-in",
      about: "app",
      webhook: { type: "app.updated", for: "all" },
    },
    "settings.apps_changed": { icon: "settings", fields: ["organizationApps"] },
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
