import { askForCode, go, type Screen } from "./visit.ts";

/** The screens for developers, which only a loopback address serves. */
export const DEV_SCREENS: Screen[] = [
  {
    name: "inbox",
    settings: { mail: "local" },
    async open(visit) {
      await askForCode(visit);
      await go(visit.page, "/dev/inbox");
    },
  },
  {
    name: "inbox-empty",
    settings: { mail: "local", vars: { ENVIRONMENT_EMOJI: "📭" } },
    open: ({ page }) => go(page, "/dev/inbox"),
  },
  { name: "mails", settings: { mail: "local" }, open: ({ page }) => go(page, "/dev/mails") },
  {
    name: "ui",
    settings: { mail: "local" },
    isLong: true,
    open: ({ page }) => go(page, "/dev/ui"),
  },
];
