import { isolate } from "../../ui/text/isolate.ts";
import type { Content } from "./mail-content.server.ts";
import type { AlarmNews, MailMessage } from "./mail-message.ts";
import type { phrasesOf } from "./mail-phrases.server.ts";

type Phrases = ReturnType<typeof phrasesOf>;

/** The incident card of each alarm in docs/operations.md, by its title there. */
const CARDS: Record<AlarmNews["alarm"], string> = {
  mail: "Mail is down",
  "wrong-codes": "A flood of codes",
  "cron-minute": "The cron is late",
  "cron-hour": "The cron is late",
  job: "A scheduled job fails",
  "database-size": "The database is nearly full",
};

/** Returns the texts of an alarm's mail: what happens, what to do, and the incident card. */
export function alarmContent(
  { news, link }: Extract<MailMessage, { kind: "alarm" }>,
  phrases: Phrases,
): Content {
  const { t } = phrases;
  const subject = t(`alarm.${news.alarm}.subject`);
  const text = describe(news, phrases);
  return {
    subject,
    preview: text,
    title: subject,
    paragraphs: [
      text,
      t(`alarm.${news.alarm}.cure`),
      t("alarm.card", { card: isolate(CARDS[news.alarm]), file: isolate("docs/operations.md") }),
    ],
    link: { label: t("alarm.open"), to: link },
    quiet: t("alarm.often"),
  };
}

/** Returns what happens, with its figures. */
function describe(news: AlarmNews, { t, moment, number }: Phrases): string {
  switch (news.alarm) {
    case "mail": {
      const { unsent, waitingMinutes } = news;
      if (unsent > 0) return t("alarm.mail.unsent", { count: unsent, formatted: number(unsent) });
      const formatted = number(waitingMinutes);
      return t("alarm.mail.waiting", { count: waitingMinutes, formatted });
    }
    case "wrong-codes": {
      const { lastHour, median } = news;
      const formatted = number(lastHour);
      return t("alarm.wrong-codes.text", { count: lastHour, formatted, median: number(median) });
    }
    case "cron-minute":
    case "cron-hour":
      return t(`alarm.${news.alarm}.text`, { moment: moment(news.ranAt) });
    case "job":
      return t("alarm.job.text", { jobs: isolate(news.jobs) });
    case "database-size":
      return t("alarm.database-size.text", { percent: number(news.percent) });
  }
}
