import { and, eq, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { href } from "react-router";
import { changeAndRecord } from "../../db/change.server.ts";
import type { Db } from "../../db/db.server.ts";
import { member, organization, user, webhookEndpoint } from "../../db/schema/schema.ts";
import { log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { can } from "../access/permissions.ts";
import { eventOf } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import { receiverOf } from "./receiver-url.ts";

export type PauseServices = { db: Db; mailer: Pick<Mailer, "prepare">; baseUrl: string };

/** The mail is of use for a week. */
const MAIL_DAYS = 7;
const MOST_MAILS = 10;

type Failing = {
  /** Statement that stores the outcomes of the run. */
  stored: BatchItem<"sqlite">;
  failing: { settledUntil: SQL; failingSince: Date; tries: number };
  now: Date;
};

/**
 * Pauses an endpoint that has failed for a day, with its audit event and a mail: to the owners of its organization, or to
 * the manager who made it, while they may change it.
 */
export async function pauseFailed(
  { db, mailer, baseUrl }: PauseServices,
  endpoint: Pick<typeof webhookEndpoint.$inferSelect, "id" | "url" | "organizationId" | "madeBy">,
  { stored, failing, now }: Failing,
): Promise<void> {
  const { id, url, organizationId, madeBy } = endpoint;
  const receiver = receiverOf(url);
  const readers = await (organizationId === null
    ? findMaker(db, madeBy)
    : findOwners(db, organizationId));
  const expiresAt = new Date(now.getTime() + MAIL_DAYS * DAY_MS);
  const mails = await Promise.all(
    readers.map(({ email, organization: at }) => {
      const path = at
        ? href("/app/organizations/:slug/webhooks/:id", { slug: at.slug, id })
        : href("/manager/settings/webhooks/:id", { id });
      const message = {
        ...{ kind: "webhook-failed" as const, receiver, organization: at?.name ?? null },
        link: baseUrl + path,
      };
      return mailer.prepare({ recipient: email, language: "en", expiresAt, message }, now);
    }),
  );
  const { written } = await changeAndRecord(db, {
    before: { stored },
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

function findOwners(db: Db, organizationId: string) {
  return db
    .select({
      email: user.email,
      organization: { name: organization.name, slug: organization.slug },
    })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(
      and(
        eq(member.organizationId, organizationId),
        eq(member.role, "owner"),
        eq(user.banned, false),
      ),
    )
    .limit(MOST_MAILS);
}

/** Finds the manager who made an endpoint of the site, if they may still change it. */
async function findMaker(db: Db, madeBy: string | null) {
  const found = await db
    .select({ email: user.email, role: user.role })
    .from(user)
    .where(and(eq(user.id, madeBy ?? ""), eq(user.banned, false)));
  return found
    .filter((maker) => can(maker, "settings", "update"))
    .map(({ email }) => ({ email, organization: undefined }));
}

const NO_CLIENT = { clientIpAddress: undefined, userAgent: undefined, location: undefined };
