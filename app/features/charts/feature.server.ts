import { readOf } from "../../db/read.server.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { sumDays } from "../dashboard/day-sums.server.ts";
import { lastDays } from "../dashboard/days.ts";
import type { charts } from "./feature.ts";
import { readPeriod } from "./periods.ts";

/** The names under which triggers count what the charts show. */
const COUNTED = {
  signIns: "user.signed_in",
  signUps: "user.created",
  wrongCodes: "code.wrong",
} as const;

export const chartsServer = {
  panels: {
    /** Days are those of the reader, as in the filters of the lists. */
    trends: (_id, { search, timeZone, now }) => {
      const days = lastDays(readPeriod(search), formatsOf("en", timeZone), now);
      return readOf(
        (db) => sumDays(db, Object.values(COUNTED), days),
        (sums) => {
          const sumOf = (series: keyof typeof COUNTED, day: string) =>
            sums.find((row) => row.name === COUNTED[series] && row.day === day)?.value ?? 0;
          return days.map(({ key }) => ({
            date: new Date(key),
            signIns: sumOf("signIns", key),
            signUps: sumOf("signUps", key),
            wrongCodes: sumOf("wrongCodes", key),
          }));
        },
      );
    },
  },
} satisfies ServerFacts<typeof charts>;
