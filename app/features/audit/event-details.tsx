import { ButtonLink } from "../../ui/forms/button.tsx";
import { EmailText } from "../../ui/text/email-text.tsx";
import { Fact, MomentFact } from "../../ui/text/fact.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { RecordJson } from "../../ui/text/record-json.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { isOwn, type NewestEvent, type Party } from "./audit-event.ts";
import type { Source } from "./event-source.tsx";
import { usePartyPath } from "./party-name.tsx";

export type AuditRow = NewestEvent &
  Source & { details: Record<string, unknown> | null; userAgent: string | null };

/** All of an event as JSON, with links to the screens of its actor and target. */
export function EventDetails({ event }: { event: AuditRow }) {
  const { t } = useTranslation("logs");
  const { actor, impersonator, target } = event;
  const parties = [actor, impersonator, target].filter((party) => party !== undefined);
  const pathOf = usePartyPath();
  const screens = new Map(
    parties.map((party) => [party.isThere ? pathOf(party) : undefined, party]),
  );
  return (
    <RecordJson record={recordOf(event)} facts={<EventFacts event={event} />}>
      {[...screens].map(
        ([path, { name, id }]) =>
          path && (
            <ButtonLink key={path} variant="secondary" isSmall to={path}>
              {t("audit.open", { name: name ?? id })}
            </ButtonLink>
          ),
      )}
    </RecordJson>
  );
}

/** What is known about an event beside what its row says, in the reader's words. */
function EventFacts({ event }: { event: AuditRow }) {
  const { t } = useTranslation("logs");
  const format = useFormat();
  const { createdAt, actor, target, place, ipAddress, device } = event;
  return (
    <>
      <MomentFact term={t("audit.when")} date={createdAt} />
      <EmailFact term={t("audit.who")} party={actor} />
      {!isOwn(event) && <EmailFact term={t("audit.whom")} party={target} />}
      {place && (
        <Fact term={t("audit.place")}>
          <Formatted>{format.place(place)}</Formatted>
        </Fact>
      )}
      {ipAddress && (
        <Fact term={t("audit.ipAddress")}>
          <bdi>{ipAddress}</bdi>
        </Fact>
      )}
      {device && (
        // A table has a column for it, a card does not.
        <Fact term={t("audit.onDevice")} className="list-narrow">
          {t("audit.device", device)}
        </Fact>
      )}
    </>
  );
}

function EmailFact({ term, party }: { term: string; party: Party | undefined }) {
  if (!party?.email || party.email === party.name) return null;
  return (
    <Fact term={term}>
      <EmailText>{party.email}</EmailText>
    </Fact>
  );
}

function recordOf(event: AuditRow): object {
  const { id, action, createdAt, actor, impersonator, target, details } = event;
  const { place, ipAddress, userAgent } = event;
  const party = (one: Party | undefined) =>
    one && { type: one.type, id: one.id, name: one.name, email: one.email };
  return {
    id,
    action,
    time: createdAt.toISOString(),
    actor: party(actor),
    impersonator: party(impersonator),
    target: party(target),
    details: details ?? undefined,
    location: place ?? undefined,
    ipAddress: ipAddress ?? undefined,
    userAgent: userAgent ?? undefined,
  };
}
