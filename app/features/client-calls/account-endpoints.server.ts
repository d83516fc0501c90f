import { and, asc, desc, eq, gt } from "drizzle-orm";
import { z } from "zod";
import { CLIENT_SESSION, clientSession } from "../../db/client-rows.ts";
import type { Db } from "../../db/db.server.ts";
import { account, session } from "../../db/schema/schema.ts";
import { Email } from "../../values/email.ts";
import { PersonName } from "../../values/person-name.ts";
import { ACCOUNT_ACTS } from "../account/acts.ts";
import type { EmailChange } from "../account/email-change.server.ts";
import { unlinkAccount } from "../account/linked-accounts.server.ts";
import { changeOwnName } from "../account/own-name.server.ts";
import type { Actor, AuditSource } from "../audit/audit.server.ts";
import type { CodeRefusal, OwnRequest } from "../auth/codes/account-codes.server.ts";
import type {
  ClientEndpoint,
  ClientRefusal,
  ClientRequest,
  ClientResult,
  Onboard,
} from "../auth/gateway/client-endpoint.ts";

const MAX_SESSIONS = 100;

export type AccountServices = {
  db: Db;
  emailChange: EmailChange;
  /** Ids of the identity providers that users can sign in with. */
  providerIds: string[];
  ownRequest: (request: ClientRequest) => OwnRequest;
  onboard: Onboard;
  /** Ends a session of a user and records it, in one batch. */
  revokeSession: (actor: Actor, which: { userId: string; sessionId: string }) => Promise<unknown>;
  /** Returns the cookie that ends the session in the client. */
  clearCookie: () => string;
  /** Returns the cookie of a trusted device, for a client whose user has confirmed a mailbox. */
  trustMailbox: (request: Request, email: string, now: Date) => Promise<string>;
};

/** A picture is uploaded at its screen. */
const OwnUpdate = z.strictObject({ name: PersonName });

/** The id of a session, under the name that better-auth has for its token. */
const OneSession = z.object({ token: z.string().min(1).max(128) });
const OneAccount = z.object({ accountId: z.string().min(1).max(64) });
const NewEmail = z.object({ newEmail: Email });
const Code = z.string().trim().min(1).max(20);
const NewEmailWithCode = NewEmail.extend({ otp: Code });
const NewEmailRequest = NewEmail.extend({ otp: Code.optional() });

const Nothing = z.unknown().transform(() => ({}));

/**
 * Returns the endpoints of better-auth's client about the user's own account, by path, for the auth
 * gateway. Each runs the command of the account screen, and answers as better-auth does.
 */
export function createAccountEndpoints(services: AccountServices) {
  return {
    "/update-user": {
      method: "POST",
      isOpenToNewcomers: true,
      act: ACCOUNT_ACTS.update,
      input: OwnUpdate,
      codes: { email: "EMAIL_CAN_NOT_BE_UPDATED", role: "FIELD_NOT_ALLOWED" },
      answer: rename.bind(undefined, services),
    } satisfies ClientEndpoint<z.infer<typeof OwnUpdate>>,
    "/list-sessions": {
      method: "GET",
      input: Nothing,
      answer: listSessions.bind(undefined, services),
    } satisfies ClientEndpoint,
    "/revoke-session": {
      method: "POST",
      isUncounted: true,
      change: "account",
      act: ACCOUNT_ACTS.update,
      input: OneSession,
      failure: "SESSIONS_NOT_ENDED",
      answer: revoke.bind(undefined, services),
    } satisfies ClientEndpoint<z.infer<typeof OneSession>>,
    "/list-accounts": {
      method: "GET",
      input: Nothing,
      answer: listAccounts.bind(undefined, services),
    } satisfies ClientEndpoint,
    "/unlink-account": {
      method: "POST",
      change: "method",
      act: ACCOUNT_ACTS["remove-method"],
      input: OneAccount,
      answer: async ({ current, info }, { accountId }) => {
        const { db, providerIds } = services;
        const unlinked = await unlinkAccount(db, actorOf(current, info), accountId, providerIds);
        return unlinked.ok ? STATUS : { ok: false, status: 400, code: unlinked.code };
      },
    } satisfies ClientEndpoint<z.infer<typeof OneAccount>>,
    "/change-email": {
      method: "POST",
      change: "account",
      act: ACCOUNT_ACTS.update,
      input: NewEmail,
      answer: async (request, { newEmail }) => {
        const started = await startEmailChange(services, request, newEmail);
        return started.ok ? STATUS : started;
      },
    } satisfies ClientEndpoint<z.infer<typeof NewEmail>>,
    "/email-otp/request-email-change": {
      method: "POST",
      change: "account",
      act: ACCOUNT_ACTS.update,
      input: NewEmailRequest,
      answer: async (request, { newEmail, otp }) => {
        // Without a code, one goes to the current e-mail; with it, the next one to the new e-mail.
        const result =
          otp === undefined
            ? await startEmailChange(services, request, newEmail)
            : await enterCode(services, request, { newEmail, otp, step: "email-current" });
        return result.ok ? SUCCESS : result;
      },
    } satisfies ClientEndpoint<z.infer<typeof NewEmailRequest>>,
    "/email-otp/change-email": {
      method: "POST",
      change: "account",
      act: ACCOUNT_ACTS.update,
      input: NewEmailWithCode,
      answer: async (request, { newEmail, otp }) => {
        const changed = await enterCode(services, request, { newEmail, otp, step: "email-new" });
        if (!changed.ok) return changed;
        const cookie = await services.trustMailbox(request.request, newEmail, request.info.now());
        return { ...SUCCESS, headers: new Headers({ "Set-Cookie": cookie }) };
      },
    } satisfies ClientEndpoint<z.infer<typeof NewEmailWithCode>>,
  };
}

const STATUS = { ok: true, body: { status: true } } as const;
const SUCCESS = { ok: true, body: { success: true } } as const;

/** Changes the name; a new user has their name from now on. */
async function rename(
  { db, onboard }: AccountServices,
  { current, info, language }: ClientRequest,
  { name }: { name: string },
): Promise<ClientResult> {
  const { id: userId, email, onboardedAt } = current.user;
  const isDone = onboardedAt
    ? await changeOwnName(db, actorOf(current, info), current.user, name)
    : await onboard(info, { userId, email, name, language, termsVersion: undefined });
  return isDone ? STATUS : { ok: false, status: 409, code: "CONFLICT" };
}

async function listSessions(
  { db }: AccountServices,
  request: ClientRequest,
): Promise<ClientResult> {
  const rows = await db
    .select(CLIENT_SESSION)
    .from(session)
    .where(
      and(eq(session.userId, request.current.user.id), gt(session.expiresAt, request.info.now())),
    )
    .orderBy(desc(session.createdAt))
    .limit(MAX_SESSIONS);
  return { ok: true, body: rows.map((row) => clientSession(withoutManager(row))) };
}

/**
 * Leaves out the client of a manager who acts as the user. The session itself is shown, so that the user can end it.
 */
function withoutManager<Row extends { impersonatedBy: string | null }>(row: Row) {
  if (row.impersonatedBy === null) return row;
  return { ...row, ipAddress: null, userAgent: null, place: null };
}

async function revoke(
  { revokeSession, clearCookie }: AccountServices,
  { current, info }: ClientRequest,
  { token: sessionId }: { token: string },
): Promise<ClientResult> {
  await revokeSession(actorOf(current, info), { userId: current.user.id, sessionId });
  if (sessionId !== current.session.id) return STATUS;
  return { ...STATUS, headers: new Headers({ "Set-Cookie": clearCookie() }) };
}

async function listAccounts(
  { db }: AccountServices,
  request: ClientRequest,
): Promise<ClientResult> {
  const rows = await db
    .select({
      id: account.id,
      providerId: account.providerId,
      accountId: account.accountId,
      userId: account.userId,
      email: account.email,
      scope: account.scope,
      createdAt: account.createdAt,
      updatedAt: account.updatedAt,
    })
    .from(account)
    .where(eq(account.userId, request.current.user.id))
    .orderBy(asc(account.createdAt));
  const body = rows.map(({ scope, ...row }) => ({
    ...row,
    scopes: scope?.split(/[ ,]+/).filter(Boolean) ?? [],
  }));
  return { ok: true, body };
}

async function startEmailChange(
  { emailChange, ownRequest }: AccountServices,
  request: ClientRequest,
  newEmail: string,
): Promise<{ ok: true } | ClientRefusal> {
  if (newEmail === request.current.user.email) {
    return { ok: false, status: 400, code: "INVALID_EMAIL", message: "account:email.own" };
  }
  return clientRefusal(await emailChange.start(ownRequest(request), newEmail));
}

async function enterCode(
  { emailChange, ownRequest }: AccountServices,
  request: ClientRequest,
  { newEmail, otp, step }: { newEmail: string; otp: string; step: "email-current" | "email-new" },
): Promise<{ ok: true } | ClientRefusal> {
  const entered = { code: otp, step };
  return clientRefusal(await emailChange.verify(ownRequest(request), newEmail, entered));
}

function clientRefusal(result: { ok: true } | CodeRefusal): { ok: true } | ClientRefusal {
  if (result.ok) return { ok: true };
  const { triesLeft: _, ...refused } = result;
  return refused;
}

function actorOf({ user, session: own }: ClientRequest["current"], source: AuditSource): Actor {
  return { actorId: user.id, impersonatorId: own.impersonatedBy, source };
}
