import { and, desc, eq, gt } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import { LOCAL_INBOX } from "./states.ts";

/** Reads the mails with sign-in codes to an e-mail, without their content, the newest first. */
export function codeMailsTo(email: string, since: Date) {
  return readOf(
    (db) =>
      db
        .select({
          createdAt: mailOutbox.createdAt,
          state: mailOutbox.state,
          providerId: mailOutbox.providerId,
          sentAt: mailOutbox.sentAt,
          lastError: mailOutbox.lastError,
          delivery: mailOutbox.delivery,
          deliveryAt: mailOutbox.deliveryAt,
          deliveryReason: mailOutbox.deliveryReason,
          ipAddress: mailOutbox.askedIpAddress,
          userAgent: mailOutbox.askedUserAgent,
          place: mailOutbox.askedPlace,
          requestId: mailOutbox.askedRequestId,
        })
        .from(mailOutbox)
        .where(
          and(
            eq(mailOutbox.recipient, email),
            gt(mailOutbox.createdAt, since),
            eq(mailOutbox.kind, "login-code"),
          ),
        )
        .orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.id))
        .limit(200),
    (rows) =>
      rows.map(({ providerId, ipAddress, userAgent, place, ...mail }) => ({
        ...mail,
        isLocal: providerId === LOCAL_INBOX,
        origin: { ipAddress, place, device: describeDevice(userAgent) },
      })),
  );
}
