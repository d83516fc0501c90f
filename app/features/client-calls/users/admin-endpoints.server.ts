import { and, desc, eq, gt } from "drizzle-orm";
import type { z } from "zod";
import { CLIENT_SESSION, CLIENT_USER, clientSession } from "../../../db/client-rows.ts";
import type { Db } from "../../../db/db.server.ts";
import { session, user } from "../../../db/schema/schema.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { can, type Permission, roles, rolesOf } from "../../access/permissions.ts";
import { needsProof } from "../../access/proof.ts";
import type { Actor } from "../../audit/audit.server.ts";
import type {
  ClientEndpoint,
  ClientRefusal,
  ClientRequest,
  ClientResult,
} from "../../auth/gateway/client-endpoint.ts";
import { USER_ACTS } from "../../users/acts.ts";
import type { UserInput } from "../../users/commands/input.ts";
import { permissionsToSave } from "../../users/commands/save-permissions.ts";
import { changeOne, single } from "../../users/commands/user-changes.server.ts";
import { banUsers, revokeUserSessions } from "../../users/commands/user-commands.server.ts";
import type { UserServices } from "../../users/commands/user-mail.server.ts";
import {
  messageOf,
  type Result,
  type UserRefusal,
} from "../../users/commands/user-record.server.ts";
import { createUser, updateUser } from "../../users/commands/user-save.server.ts";
import { findUser } from "../../users/list/user-queries.server.ts";
import * as inputs from "./admin-input.server.ts";
import { ListUsersQuery, listUsersForApi } from "./list-users-api.server.ts";

const MAX_SESSIONS = 100;

export type AdminServices = Omit<
  UserServices,
  "sender" | "language" | "timeZone" | "afterAnswer"
> & {
  startImpersonation: (
    call: Pick<ClientRequest, "request" | "info" | "current">,
    input: { userId: string; reason: string | null },
  ) => Promise<
    | { ok: true; headers: Headers; sessionId: string }
    | { ok: false; error: "not_found" | "yourself" | "admin" | "banned" | "conflict" }
  >;
};

/**
 * Returns the endpoints of better-auth's admin plugin, by path, for the auth gateway. Each runs the command of the
 * back-office, with its permission, its proof and its audit event, and answers as the plugin does.
 */
export function createAdminEndpoints(services: AdminServices) {
  const { db } = services;
  const callOf = (request: ClientRequest) =>
    [forMail(services, request), actorOf(request)] as const;
  return {
    "/admin/list-users": {
      method: "GET",
      needs: ["user", "list"],
      input: ListUsersQuery,
      answer: async (_request, query) => {
        const listed = await listUsersForApi(db, query);
        return listed.ok ? listed : { ok: false, status: 400, code: "INVALID_PAYLOAD" };
      },
    } satisfies ClientEndpoint<z.infer<typeof ListUsersQuery>>,
    "/admin/get-user": {
      method: "GET",
      needs: ["user", "get"],
      input: inputs.UserQuery,
      answer: async (_request, { id }) => {
        const found = await findShown(db, id);
        return found ? { ok: true, body: found } : NOT_FOUND;
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.UserQuery>>,
    "/admin/create-user": {
      method: "POST",
      act: USER_ACTS.create,
      input: inputs.NewUser,
      answer: async (request, { email, name, role = "user" }) => {
        const input = { email, name, role };
        const refused = refusalOf(request, permissionsToSave(undefined, input));
        if (refused) return refused;
        const created = await createUser(forMail(services, request), actorOf(request), input);
        return created.ok ? answerUser(db, created.id) : refuse(created.error);
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.NewUser>>,
    "/admin/update-user": {
      method: "POST",
      act: USER_ACTS.update,
      input: inputs.UserData,
      answer: async (request, { userId, data: { banned, ...data } }) => {
        if (banned !== undefined) return refuseBan(banned, userId === request.current.user.id);
        const saved = await save(services, request, userId, data);
        if (!saved.ok) return saved;
        const found = await findShown(db, userId);
        return found ? { ok: true, body: found } : NOT_FOUND;
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.UserData>>,
    "/admin/set-role": {
      method: "POST",
      act: USER_ACTS["set-role"],
      input: inputs.NewRoles,
      answer: async (request, { userId, role }) => {
        const set = await changeOne(...callOf(request), userId, "set-role", { role });
        return answerChange(db, userId, set);
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.NewRoles>>,
    "/admin/ban-user": {
      method: "POST",
      act: USER_ACTS.ban,
      input: inputs.Ban,
      answer: async (request, { userId, banReason: reason, banExpiresIn }) => {
        const actor = actorOf(request);
        const now = request.info.now().getTime();
        const banExpires = banExpiresIn ? new Date(now + banExpiresIn * 1_000) : null;
        const banned = await single(userId, () =>
          banUsers(services, actor, { ids: [userId], reason, banExpires }),
        );
        return answerChange(db, userId, banned, { yourself: "YOU_CANNOT_BAN_YOURSELF" });
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.Ban>>,
    "/admin/unban-user": {
      method: "POST",
      act: USER_ACTS.unban,
      input: inputs.OneUser,
      answer: async (request, { userId }) => {
        const unbanned = await changeOne(...callOf(request), userId, "unban", {});
        // As in better-auth, a user without a ban is answered too.
        const isDone = unbanned.ok || unbanned.error === "not_banned";
        return isDone ? answerUser(db, userId) : refuse(unbanned.error);
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.OneUser>>,
    "/admin/list-user-sessions": {
      method: "POST",
      needs: ["session", "list"],
      input: inputs.OneUser,
      answer: async ({ info }, { userId }) => {
        const sessions = await db
          .select(CLIENT_SESSION)
          .from(session)
          .where(and(eq(session.userId, userId), gt(session.expiresAt, info.now())))
          .orderBy(desc(session.createdAt))
          .limit(MAX_SESSIONS);
        return { ok: true, body: { sessions: sessions.map(clientSession) } };
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.OneUser>>,
    "/admin/revoke-user-session": {
      method: "POST",
      act: USER_ACTS.revoke,
      input: inputs.OneSession,
      failure: "SESSIONS_NOT_ENDED",
      answer: async (request, { sessionToken: id }) => {
        const [found] = await db
          .select({ userId: session.userId })
          .from(session)
          .where(eq(session.id, id));
        const which = found && { userId: found.userId, sessionId: id };
        if (which) await revokeUserSessions(db, actorOf(request), which);
        return { ok: true, body: { success: true } };
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.OneSession>>,
    "/admin/revoke-user-sessions": {
      method: "POST",
      act: USER_ACTS["revoke-all"],
      input: inputs.OneUser,
      failure: "SESSIONS_NOT_ENDED",
      answer: async (request, { userId }) => {
        const ended = await revokeUserSessions(db, actorOf(request), { userId });
        return ended.ok ? { ok: true, body: { success: true } } : refuse(ended.error);
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.OneUser>>,
    "/admin/impersonate-user": {
      method: "POST",
      act: USER_ACTS.impersonate,
      input: inputs.Impersonation,
      answer: impersonate.bind(undefined, services),
    } satisfies ClientEndpoint<z.infer<typeof inputs.Impersonation>>,
    "/admin/remove-user": {
      method: "POST",
      act: USER_ACTS.delete,
      input: inputs.OneUser,
      answer: async (request, { userId }) => {
        const removed = await changeOne(...callOf(request), userId, "delete", {});
        return removed.ok
          ? { ok: true, body: { success: true } }
          : refuse(removed.error, { yourself: "YOU_CANNOT_REMOVE_YOURSELF" });
      },
    } satisfies ClientEndpoint<z.infer<typeof inputs.OneUser>>,
    "/admin/has-permission": {
      method: "POST",
      input: inputs.PermissionQuestion,
      answer: async ({ current }, { permissions }) => ({
        ok: true,
        body: { error: null, success: isGranted(current.user, permissions) },
      }),
    } satisfies ClientEndpoint<z.infer<typeof inputs.PermissionQuestion>>,
  };
}

/** Refuses a ban among the fields of a user, as better-auth does for one's own user. */
function refuseBan(banned: unknown, isOwn: boolean): ClientRefusal {
  const code = banned === true && isOwn ? "YOU_CANNOT_BAN_YOURSELF" : "INVALID_PAYLOAD";
  return { ok: false, status: 400, code, field: "data.banned" };
}

const NOT_FOUND: ClientRefusal = { ok: false, status: 404, code: "USER_NOT_FOUND" };

/** What better-auth answers to a refusal of a command. */
const REFUSALS: { [Error in UserRefusal]?: readonly [status: number, code: ErrorCode] } = {
  not_found: [404, "USER_NOT_FOUND"],
  email_taken: [400, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"],
  email_domain: [400, "EMAIL_DOMAIN_NOT_ALLOWED"],
  conflict: [409, "CONFLICT"],
  last_admin: [409, "LAST_ADMIN"],
  sole_owner: [409, "SOLE_OWNER"],
  own_role: [403, "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"],
  own_email: [403, "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"],
  listed_new_email: [403, "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS"],
  listed_email: [403, "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"],
  listed_admin: [403, "FORBIDDEN"],
};

function refuse(
  error: UserRefusal,
  codes: { [Error in UserRefusal]?: ErrorCode } = {},
): ClientRefusal {
  const own = codes[error];
  if (own) return { ok: false, status: 400, code: own };
  const [status, code] = REFUSALS[error] ?? [400, "BAD_REQUEST"];
  return { ok: false, status, code, message: messageOf(error) };
}

async function findShown(db: Db, id: string) {
  const [found] = await db.select(CLIENT_USER).from(user).where(eq(user.id, id));
  return found;
}

async function answerUser(db: Db, id: string): Promise<ClientResult> {
  const found = await findShown(db, id);
  return found ? { ok: true, body: { user: found } } : NOT_FOUND;
}

function answerChange(
  db: Db,
  id: string,
  result: Result,
  codes?: { [Error in UserRefusal]?: ErrorCode },
): Promise<ClientResult> | ClientRefusal {
  return result.ok ? answerUser(db, id) : refuse(result.error, codes);
}

function actorOf({ current, info }: ClientRequest): Actor {
  const { user: manager, session: own } = current;
  return { actorId: manager.id, impersonatorId: own.impersonatedBy, source: info };
}

function forMail(services: AdminServices, { current, info, language }: ClientRequest) {
  const { afterAnswer, timeZone } = info;
  const sender = current.user.name || current.user.email;
  return { ...services, sender, language, afterAnswer, timeZone };
}

const SAVE_REFUSALS: { [Action in string]?: ErrorCode } = {
  "set-email": "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
  "set-role": "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE",
};

/** Returns the refusal of a save for the permissions that its fields need, as the form has it. */
function refusalOf(
  { current, isFresh }: ClientRequest,
  permissions: Permission[],
): ClientRefusal | undefined {
  for (const [resource, action] of permissions) {
    if (can(current.user, resource, action)) continue;
    return { ok: false, status: 403, code: SAVE_REFUSALS[action] ?? "FORBIDDEN" };
  }
  const isProofDue = permissions.some((permission) => needsProof(permission.join(".")));
  return isProofDue && !isFresh ? { ok: false, status: 403, code: "SESSION_EXPIRED" } : undefined;
}

/** Changes what the client names and keeps the rest: the write holds only for the version that was read. */
async function save(
  services: AdminServices,
  request: ClientRequest,
  id: string,
  data: Partial<UserInput>,
): Promise<{ ok: true } | ClientRefusal> {
  const before = await findUser(services.db, id);
  if (!before) return NOT_FOUND;
  const { name = before.name, email = before.email, role = before.role } = data;
  const refused = refusalOf(request, permissionsToSave(before, { email, role }));
  if (refused) return refused;
  const input = { name, email, role, version: before.version };
  const updated = await updateUser(forMail(services, request), actorOf(request), before, input);
  return updated.ok ? { ok: true } : refuse(updated.error);
}

async function impersonate(
  { db, startImpersonation }: AdminServices,
  request: ClientRequest,
  input: z.infer<typeof inputs.Impersonation>,
): Promise<ClientResult> {
  const started = await startImpersonation(request, input);
  if (started.ok) {
    const { headers, sessionId } = started;
    const [[own], [person]] = await db.batch([
      db.select(CLIENT_SESSION).from(session).where(eq(session.id, sessionId)),
      db.select(CLIENT_USER).from(user).where(eq(user.id, input.userId)),
    ]);
    return { ok: true, headers, body: { session: own && clientSession(own), user: person } };
  }
  if (started.error === "not_found") return NOT_FOUND;
  const message = `users:refusal.${started.error}` as const;
  switch (started.error) {
    case "admin":
      return { ok: false, status: 403, code: "YOU_CANNOT_IMPERSONATE_ADMINS" };
    case "banned":
      return { ok: false, status: 403, code: "BANNED_USER", message };
    case "conflict":
      return { ok: false, status: 409, code: "CONFLICT", message };
    case "yourself":
      return { ok: false, status: 400, code: "BAD_REQUEST", message };
  }
}

/** True when a user has all of these permissions, and at least one is asked for. */
function isGranted(holder: { role: string }, asked: Record<string, string[]>): boolean {
  const resources = Object.entries(asked);
  return (
    resources.length > 0 &&
    resources.every(
      ([resource, actions]) =>
        actions.length > 0 && actions.every((action) => isAllowed(holder, resource, action)),
    )
  );
}

function isAllowed(holder: { role: string }, resource: string, action: string): boolean {
  return rolesOf(holder).some((role) => {
    // A map, because a client names the resources: an object would also have "constructor".
    const granted = new Map<string, readonly string[]>(Object.entries(roles[role]));
    return granted.get(resource)?.includes(action) ?? false;
  });
}
