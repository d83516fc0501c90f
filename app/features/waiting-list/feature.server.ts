import { sql } from "drizzle-orm";
import { href } from "react-router";
import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import type { waitingList as facts } from "./feature.ts";
import { selectSwitch } from "./switch.server.ts";
import { waitingList } from "./tables.server.ts";
import { pruneWaitingList } from "./waiting-list.server.ts";

export const waitingListServer = {
  hour: [{ name: "prune waiting list", run: ({ db }, now) => pruneWaitingList(db, now) }],
  loginOffer: {
    to: href("/login/waiting-list"),
    label: "login:waitingList.join",
    isOffered: readOf(selectSwitch, ([row]) => row?.isOn ?? false),
  },
  toDo: {
    peopleWaiting: () => sql`SELECT 1 FROM ${waitingList} WHERE ${waitingList.state} = 'waiting'`,
  },
  mails: {
    "request-approved": {
      write: ({ link }, { t }) => ({
        subject: t("requestApproved.subject"),
        preview: t("requestApproved.text"),
        title: t("requestApproved.title"),
        paragraphs: [t("requestApproved.text")],
        link: { label: t("requestApproved.open"), to: link },
        quiet: t("requestApproved.ignore"),
        reason: "entered",
      }),
      samples: [{ link: "https://example.com/login" }],
    },
  },
} satisfies ServerFacts<typeof facts>;
