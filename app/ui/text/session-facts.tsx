import { Dotted } from "./dotted.tsx";
import { Formatted } from "./formatted.tsx";
import { ActiveTime, RecentMoment } from "./relative-time.tsx";
import { useTranslation } from "./translation.tsx";
import { useFormat } from "./use-format.ts";

type SessionFactsProps = {
  session: {
    place: string | null;
    ipAddress?: string | null;
    createdAt: Date;
    lastSeenAt: Date | null;
  };
  /** True for the session that asks, whose last activity is this request. */
  isThisOne?: boolean;
  now: Date;
};

/** Where a session is, when it began and when it was last active. */
export function SessionFacts({ session, isThisOne = false, now }: SessionFactsProps) {
  const { place, ipAddress, createdAt, lastSeenAt } = session;
  const { t } = useTranslation();
  const format = useFormat();
  const isActive = isThisOne || (lastSeenAt !== null && format.isLastActive(lastSeenAt, now));
  return (
    <span className="text-muted">
      <Dotted>
        {place && <Formatted>{format.place(place)}</Formatted>}
        {ipAddress && <bdi>{ipAddress}</bdi>}
        <span>
          {t("session.signedIn")} <RecentMoment date={createdAt} now={now} />
        </span>
        {isActive && t("session.lastHour")}
        {!isActive && lastSeenAt && (
          <span>
            {t("session.active")}{" "}
            <ActiveTime date={lastSeenAt} now={now} lastHour={t("session.lastHour")} />
          </span>
        )}
      </Dotted>
    </span>
  );
}
