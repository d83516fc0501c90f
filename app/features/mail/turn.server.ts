import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { MAIL_LANES } from "../../db/mail-criteria.ts";
import { codeEvent, mailOutbox, signInCode } from "../../db/schema/schema.ts";
import type { RequestInfo } from "../../http/request-context.ts";
import type { Networks } from "../../values/client-network.ts";
import { HOUR_MS } from "../../values/time.ts";
import { MAILS, type MailMessage } from "./mail-message.ts";

// How the next mail is chosen (decision 062). Mails of a lane (`MAIL_LANES`) leave before those of
// the next one. `turnOf` gives each mail its turn when it is queued, and the sender takes the first
// waiting one in the order `byTurn`.

/** Codes of an hour after which a network's trusted devices wait as its other browsers do. */
const TRUSTED_FIRST = 3;

/** Codes of a network that are counted: a busy network costs no more rows. */
const MOST_COUNTED = 300;

/** Who asks for a code. */
export type CodeAsking = {
  /** SQL condition: a trusted device, or a session of the mailbox's user. */
  isTrusted: SQL;
  networks: Networks;
  /** The request, for the mail log; undefined for the code of a signed-in user. */
  from?: Pick<RequestInfo, "id" | "clientIpAddress" | "userAgent" | "location">;
};

type Turn = Record<"lane" | "asked" | "askedNear", number | SQL>;

/**
 * Returns the turn of a mail. Codes leave before warnings, and warnings before mails that others
 * cause. The code of the network that has asked for the fewest codes in the last hour leaves first,
 * so a network waits for its own codes and not for another's. A trusted device goes ahead while its
 * network has asked for few.
 */
export function turnOf(kind: MailMessage["kind"], asking: CodeAsking | undefined, now: Date): Turn {
  const { share } = MAILS[kind];
  if (share !== "codes" || !asking) return { lane: MAIL_LANES[share], asked: 0, askedNear: 0 };
  const { isTrusted, networks } = asking;
  const asked = askedBy(networks.wide, now);
  return {
    lane: sql`CASE WHEN ${isTrusted} AND ${asked} <= ${TRUSTED_FIRST} THEN ${MAIL_LANES.trusted} ELSE ${MAIL_LANES.codes} END`,
    asked,
    askedNear: askedNear(networks, now),
  };
}

/** The order of waiting mails. Of equal ones the newest leaves first: after an outage the oldest code has expired. */
export const byTurn = [
  mailOutbox.lane,
  mailOutbox.asked,
  mailOutbox.askedNear,
  desc(mailOutbox.createdAt),
];

/** SQL expression: codes that were sent for requests of an IPv4 address or a /48 network in the last hour. */
function askedBy(network: string, now: Date): SQL {
  const since = new Date(now.getTime() - HOUR_MS);
  const signIns = and(eq(signInCode.network, network), gt(signInCode.sentAt, since));
  const others = and(eq(codeEvent.network, network), gt(codeEvent.createdAt, since));
  return sql`(SELECT count(*) FROM (
    SELECT 1 FROM ${signInCode} WHERE ${signIns} UNION ALL SELECT 1 FROM ${codeEvent} WHERE ${others} LIMIT ${MOST_COUNTED}
  ))`;
}

/** SQL expression: how many of the newest of them were for an IPv4 address or a /64 network. */
function askedNear({ wide, near }: Networks, now: Date): SQL {
  const since = new Date(now.getTime() - HOUR_MS);
  const ofWide = and(eq(signInCode.network, wide), gt(signInCode.sentAt, since));
  return sql`(SELECT count(*) FROM (
    SELECT ${signInCode.nearNetwork} AS near FROM ${signInCode} WHERE ${ofWide}
    ORDER BY ${signInCode.sentAt} DESC LIMIT ${MOST_COUNTED}
  ) WHERE near = ${near})`;
}
