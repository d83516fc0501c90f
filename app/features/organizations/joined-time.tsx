import { aroundValues } from "../../ui/text/around-values.ts";
import { RecentDay } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";

type JoinedTimeProps = {
  date: Date;
  now: Date;
  className?: string;
  /** Hides the words around the time where a column's name says the same. */
  wordsClass?: string;
};

/** When a member joined: "Joined 3 days ago". The time alone would read as when the member was last seen. */
export function JoinedTime({ date, now, className = "", wordsClass }: JoinedTimeProps) {
  const { t } = useTranslation("organizations");
  const [before, after] = aroundValues((when) => t("membersList.joinedWhen", { when }));
  return (
    <span className={`whitespace-nowrap ${className}`}>
      <span className={wordsClass}>{before}</span>
      <RecentDay date={date} now={now} />
      <span className={wordsClass}>{after}</span>
    </span>
  );
}
