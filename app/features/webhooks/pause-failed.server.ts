import { and, eq, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { href } from "react-router";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { eventOf } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { findManagers } from "../program-news/managers.server.ts";
import { receiverOf } from "./receiver-url.ts";
import { webhookEndpoint } from "./tables.server.ts";

export type PauseServices = { db: Db; mailer: Pick<Mailer, "prepare">; baseUrl: string };

/** The mail is of use for a week. */
const MAIL_DAYS = 7;

type FailedEndpoint = Pick<
  typeof webhookEndpoint.$inferSelect,
  "id" | "url" | "organizationId" | "madeBy"
> & {
  organization: string | null;
  slug: string | null;
};

type Failing = {
  /** Statements that store the outcomes of the run. */
  stored: readonly BatchItem<"sqlite">[];
  failing: { settledUntil: SQL; failingSince: Date; tries: number };
  now: Date;
};

/** Pauses an endpoint that has failed for a day, with its audit event and a mail to those who may change it. */
export async function pauseFailed(
  { db, mailer, baseUrl }: PauseServices,
  endpoint: FailedEndpoint,
  { stored, failing, now }: Failing,
): Promise<void> {
  const { id, url, organizationId, organization, slug, madeBy } = endpoint;
  const receiver = receiverOf(url);
  const readers = await findManagers(db, organizationId, [["webhook", "update"]]);
  const expiresAt = new Date(now.getTime() + MAIL_DAYS * DAY_MS);
  const path = slug
    ? href("/app/organizations/:slug/webhooks/:id", { slug, id })
    : href("/manager/settings/webhooks/:id", { id });
  const message = {
    kind: "webhook-failed" as const,
    receiver,
    organization,
    link: baseUrl + path,
  };
  const mails = await Promise.all(
    readers.map(({ email }) =>
      mailer.prepare(
        { recipient: email, language: "en", expiresAt, message, causedBy: madeBy },
        now,
      ),
    ),
  );
  const { written } = await changeAndRecord(db, {
    before: { stored: [...stored] },
    change: db
      .update(webhookEndpoint)
      .set({ ...failing, state: "failed", nextTryAt: null, updatedAt: now })
      .where(and(eq(webhookEndpoint.id, id), eq(webhookEndpoint.state, "active"))),
    event: eventOf(
      { id: "webhooks", now: () => now, ...NO_CLIENT },
      {
        action: "webhook.paused",
        actorId: null,
        ...(organizationId && { target: { type: "organization", id: organizationId } as const }),
        details: { receiver },
      },
    ),
    next: (isPaused) => ({ written: mails.map((mail) => mail.ifChanged(isPaused)) }),
  });
  log("warn", "webhook.paused", { endpoint: id });
  for (const [at, mail] of mails.entries()) await mail.send(written[at] ?? []);
}

const NO_CLIENT = { clientIpAddress: undefined, userAgent: undefined, location: undefined };
