import { getTableColumns, sql } from "drizzle-orm";
import { hasRole } from "../../../db/admin-role.ts";
import { idsIn } from "../../../db/ids-in.ts";
import { user } from "../../../db/schema/schema.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { type BulkOutcome, changeTogether } from "../../../lists/bulk/bulk-change.ts";
import type { BulkReport, BulkWords } from "../../../lists/bulk/bulk-report.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import { type Action, can, haveSameRoles } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { statusOf, type User } from "../list/user-queries.server.ts";
import { banEnd } from "./ban-duration.ts";
import { BULK_INTENTS, type UsersChange } from "./bulk-input.ts";
import {
  banUsers,
  deleteUsers,
  type Results,
  setRoles,
  unbanUsers,
} from "./user-commands.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { messageOf, refusalOf, type UserRefusal } from "./user-record.server.ts";

type Changes = { [C in UsersChange as C["intent"]]: C };

/** A chosen user, the rule that protects them now, and whether one can protect the last of several. */
type Chosen = User & { rule: "LAST_ADMIN" | "SOLE_OWNER" | null; hasDuty: number };

type BulkCommand<Change> = {
  /** What a manager must be allowed to do with users. */
  permission: Action<"user">;
  done: MessageKey;
  /** Reason why a user needs no change or cannot have it; undefined when there is something to change. */
  findRefusal: (row: Chosen, change: Change, now: Date) => CheckedMessage | undefined;
  run: (services: UserServices, actor: Actor, rows: Chosen[], change: Change) => Promise<Results>;
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
    findRefusal: (row, _change, now) => {
      if (statusOf(row, now) === "banned") return "users:bulk.alreadyBanned";
      return row.rule === "LAST_ADMIN" ? bulkMessage("last_admin") : undefined;
    },
    run: (services, actor, rows, { reason, duration }) =>
      banUsers(services, actor, {
        ids: idsOf(rows),
        reason,
        banExpires: banEnd({ duration, until: undefined, timeZone: undefined }, actor.source.now()),
      }),
  },
  unban: {
    permission: "ban",
    done: "users:bulk.unbanned",
    findRefusal: (row, _change, now) =>
      statusOf(row, now) === "banned" ? undefined : "users:bulk.notBanned",
    run: ({ db }, actor, rows) => unbanUsers(db, actor, idsOf(rows)),
  },
  "set-role": {
    permission: "set-role",
    done: "users:bulk.roleSet",
    findRefusal: (row, change) => {
      if (haveSameRoles(row, change)) return "users:bulk.sameRole";
      return row.rule === "LAST_ADMIN" ? bulkMessage("last_admin") : undefined;
    },
    run: (services, actor, rows, { role }) => setRoles(services, actor, { ids: idsOf(rows), role }),
  },
  delete: {
    permission: "delete",
    done: "users:bulk.deleted",
    findRefusal: ({ rule }) =>
      rule ? bulkMessage(rule === "LAST_ADMIN" ? "last_admin" : "sole_owner") : undefined,
    run: async (services, actor, rows) => (await deleteUsers(services, actor, rows)).results,
  },
};

export function permissionFor(intent: UsersChange["intent"]): Action<"user"> {
  return BULK_COMMANDS[intent].permission;
}

/** Returns the bulk actions that a manager may use, in the order of their buttons. */
export function listBulkIntents(manager: { role: string }): UsersChange["intent"][] {
  return BULK_INTENTS.filter((intent) => can(manager, "user", permissionFor(intent)));
}

/**
 * Applies one change to many users. The commands are those of the user's own screen, so the same rules hold and the same
 * audit events are written. Users that are gone or already in the wanted state are reported as refused.
 */
export async function changeUsers(
  services: UserServices,
  actor: Actor,
  change: UsersChange,
): Promise<BulkReport> {
  const rows = await services.db
    .select({
      ...getTableColumns(user),
      rule: sql<
        Chosen["rule"]
      >`(SELECT rule FROM account_deletion_rule WHERE user_id = ${user.id})`,
      hasDuty: sql<number>`(${hasRole(user.role, "admin")} OR EXISTS (
        SELECT 1 FROM member WHERE user_id = "user".id AND role = 'owner'
      ))`,
    })
    .from(user)
    .where(idsIn(user.id, change.id));
  const items = await changeTogether(change.id, {
    rows,
    nameOf: ({ name, email }) => name || email,
    detailOf: ({ email }) => email,
    gone: "users:bulk.gone",
    ...commandOf(services, actor, change.intent, change),
    rule: {
      isBroken: (error) => refusalOf(error) !== undefined,
      mayProtect: ({ hasDuty }) => hasDuty === 1,
      refusal: "users:bulk.notTogether",
    },
    onFailure: (error) =>
      log("error", "request.failed", { request: actor.source.id, ...describeError(error) }),
  });
  const report = { done: BULK_COMMANDS[change.intent].done, words: WORDS, items };
  return change.intent === "ban" ? { ...report, undo: "unban" } : report;
}

/** Returns what a command does with the chosen users. */
function commandOf<I extends keyof Changes>(
  services: UserServices,
  actor: Actor,
  intent: I,
  change: Changes[I],
) {
  const { findRefusal, run } = BULK_COMMANDS[intent];
  const now = actor.source.now();
  return {
    // The command refuses the manager with its own reason.
    findRefusal: (row: Chosen) =>
      row.id === actor.actorId && intent !== "set-role" ? undefined : findRefusal(row, change, now),
    change: async (rows: Chosen[]) => {
      const results = await run(services, actor, rows, change);
      return new Map<string, BulkOutcome>(
        [...results].map(([id, error]) => [id, error && bulkMessage(error)]),
      );
    },
  };
}

function idsOf(rows: Chosen[]): string[] {
  return rows.map(({ id }) => id);
}

function bulkMessage(error: UserRefusal): CheckedMessage {
  return REFUSALS[error] ?? messageOf(error);
}
