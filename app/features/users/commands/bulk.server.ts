import { inArray } from "drizzle-orm";
import { user } from "../../../db/schema/schema.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { changeEach } from "../../../lists/bulk/bulk-change.ts";
import type { BulkReport, BulkWords } from "../../../lists/bulk/bulk-report.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import { type Action, can, haveSameRoles } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { statusOf, type User } from "../list/user-queries.server.ts";
import { BULK_INTENTS, type UsersChange } from "./bulk-input.ts";
import { banUser, deleteUser, unbanUser } from "./user-commands.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { messageOf, type Result, type UserRefusal } from "./user-record.server.ts";
import { updateUser } from "./user-save.server.ts";

type Changes = { [C in UsersChange as C["intent"]]: C };

type BulkCommand<Change> = {
  /** What a manager must be allowed to do with users. */
  permission: Action<"user">;
  done: MessageKey;
  /** Message for a user who is already in the wanted state; undefined when there is something to change. */
  findUnneeded?: (row: User, change: Change, now: Date) => CheckedMessage | undefined;
  run: (services: UserServices, actor: Actor, row: User, change: Change) => Promise<Result>;
};

const WORDS: BulkWords = {
  refused: "users:bulk.refused",
  more: "users:bulk.more",
  unnamed: "users:bulk.unnamed",
};

/** Messages in place of the ones of the user's own screen: names follow them. */
const REFUSALS: Partial<Record<UserRefusal, CheckedMessage>> = {
  last_admin: "users:bulk.lastAdmin",
  not_banned: "users:bulk.notBanned",
};

/** Bulk actions of the user list, in the order of their buttons: permission, function and messages. */
const BULK_COMMANDS: { [I in keyof Changes]: BulkCommand<Changes[I]> } = {
  ban: {
    permission: "ban",
    done: "users:bulk.banned",
    findUnneeded: (row, _change, now) =>
      statusOf(row, now) === "banned" ? "users:bulk.alreadyBanned" : undefined,
    run: ({ db }, actor, { id }, { reason, duration }) =>
      banUser(db, actor, { id, reason, duration, until: undefined }),
  },
  unban: {
    permission: "ban",
    done: "users:bulk.unbanned",
    findUnneeded: (row, _change, now) =>
      statusOf(row, now) === "banned" ? undefined : "users:bulk.notBanned",
    run: ({ db }, actor, { id }) => unbanUser(db, actor, id),
  },
  "set-role": {
    permission: "set-role",
    done: "users:bulk.roleSet",
    findUnneeded: (row, change) => (haveSameRoles(row, change) ? "users:bulk.sameRole" : undefined),
    run: (services, actor, row, { role }) => {
      const { name, email, version } = row;
      return updateUser(services, actor, row, { name, email, role, version });
    },
  },
  delete: {
    permission: "delete",
    done: "users:bulk.deleted",
    run: ({ db }, actor, { id }) => deleteUser(db, actor, id),
  },
};

/** Returns the permission for a bulk action. */
export function permissionFor(intent: UsersChange["intent"]): Action<"user"> {
  return BULK_COMMANDS[intent].permission;
}

/** Returns the bulk actions that a manager may use, in the order of their buttons. */
export function listBulkIntents(manager: { role: string }): UsersChange["intent"][] {
  return BULK_INTENTS.filter((intent) => can(manager, "user", permissionFor(intent)));
}

/**
 * Applies one change to many users. Each runs through the same command as on the user's own screen, so the same rules
 * hold and the same audit event is written. Users that are gone or already in the wanted state are reported as
 * refused.
 */
export async function changeUsers(
  services: UserServices,
  actor: Actor,
  change: UsersChange,
): Promise<BulkReport> {
  const rows = await services.db.select().from(user).where(inArray(user.id, change.id));
  const items = await changeEach(change.id, {
    rows,
    nameOf: ({ name, email }) => name || email,
    detailOf: ({ email }) => email,
    gone: "users:bulk.gone",
    change: (row) => changeOne(services, actor, row, change.intent, change),
    onFailure: (error) =>
      log("error", "request.failed", { request: actor.source.id, ...describeError(error) }),
  });
  return { done: BULK_COMMANDS[change.intent].done, words: WORDS, items };
}

/** Returns the reason when the change was refused. */
async function changeOne<I extends keyof Changes>(
  services: UserServices,
  actor: Actor,
  row: User,
  intent: I,
  change: Changes[I],
): Promise<CheckedMessage | undefined> {
  const { findUnneeded, run } = BULK_COMMANDS[intent];
  const unneeded = findUnneeded?.(row, change, actor.source.now());
  if (unneeded) return unneeded;
  const result = await run(services, actor, row, change);
  return result.ok ? undefined : (REFUSALS[result.error] ?? messageOf(result.error));
}
