/** Lucide's names of the icons in use. After a change run `npm run icons`. */
export const ICON_NAMES = [
  "arrow-left",
  "arrow-left-right",
  "arrow-right",
  "ban",
  "calendar",
  "check",
  "chevron-up",
  "circle-user",
  "download",
  "external-link",
  "fingerprint-pattern",
  "folder-git-2",
  "folder-plus",
  "house",
  "image-up",
  "key-round",
  "keyboard",
  "languages",
  "layout-dashboard",
  "log-out",
  "mail",
  "menu",
  "monitor",
  "moon",
  "panel-left",
  "pencil",
  "plus",
  "rotate-cw",
  "scroll-text",
  "search",
  "sun",
  "trash-2",
  "user-plus",
  "user-round-check",
  "users",
  "x",
] as const;

/** Logos of the identity providers, in their own colours. */
export const BRAND_NAMES = ["github", "google"] as const;

export type IconName = (typeof ICON_NAMES | typeof BRAND_NAMES)[number];
