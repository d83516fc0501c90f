import {
  CRON_TRIGGERS,
  D1_QUERIES,
  ERASED_IN_A_RUN,
  FREE_CPU_MS,
  MAIL_PROVIDER,
} from "../../app/values/platform-limits.ts";

/** Milliseconds of CPU that a request took on the machine of the measurement, the local database included. */
const MEASURED = [
  ["the home page", 10],
  ["a code that is sent", 18],
  ["the list of users", 21],
] as const;

/** What a site on Cloudflare's free plan cannot do, and which plan to take. */
export const FREE_PLAN_NOTE = `
  The free plan is for trying Gatehouse. Take the paid plan (5 $ a month) for work: --plan paid
    CPU         ${FREE_CPU_MS} ms a request. We measured ${MEASURED.map(([what, ms]) => `${ms} ms for ${what}`).join(", ")}.
                Cloudflare ends requests that often take longer.
    Database    500 MB, 100,000 rows written a day (3,100 sign-ins), ${D1_QUERIES.free} statements a request.
    Mail        Resend's free plan sends ${MAIL_PROVIDER.freeMailsADay} mails a day: so many sign-ins by code.
    Cron        2 of the account's ${CRON_TRIGGERS.free} triggers. Production and staging take 4.
    Erasures    ${ERASED_IN_A_RUN.free} account a minute, instead of ${ERASED_IN_A_RUN.paid}.
`;
