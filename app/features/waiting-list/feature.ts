import type texts from "../../../locales/en/waiting-list.json";
import { type FeatureFacts, messageOf, textsOf } from "../../feature.ts";
import { kept } from "../mail/mail-rule.ts";

const LIST = { to: "/manager/settings/waiting-list", needs: ["settings", "read"] } as const;

/** E-mails of people who would like an account while sign-up is not open, and what managers decide about them. */
export const waitingList = {
  name: "waiting-list",
  texts: {
    "waiting-list": textsOf<typeof texts>(),
  },
  navigation: [
    { ...LIST, in: "settings", label: "settings:nav.waiting-list" },
    {
      ...LIST,
      in: "pages",
      label: "search:pages.waitingList",
      icon: "clock",
      words: "search:words.waitingList",
    },
  ],
  toDo: {
    peopleWaiting: {
      ...LIST,
      icon: "users",
      label: "manager:dashboard.attention.peopleWaiting",
    },
  },
  audit: {
    "waiting_list.opened": { icon: "clock" },
    "waiting_list.closed": { icon: "clock" },
    "waiting_list.approved": { icon: "clock" },
    "waiting_list.declined": { icon: "clock" },
  },
  mails: {
    /** To a person on the list who may come in; the link opens the login page. */
    "request-approved": {
      rule: kept("others", "manager", 5),
      message: messageOf<{ link: string }>(),
    },
  },
} as const satisfies FeatureFacts;
