import { getTableColumns, sql } from "drizzle-orm";
import { hasRole } from "../../../db/admin-role.ts";
import type { Db } from "../../../db/db.server.ts";
import { idsIn } from "../../../db/ids-in.ts";
import { user } from "../../../db/schema/schema.ts";
import type { MessageKey } from "../../../i18n/message-key.ts";
import { type BulkOutcome, changeTogether } from "../../../lists/bulk/bulk-change.ts";
import type { BulkReport, BulkWords } from "../../../lists/bulk/bulk-report.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import { haveSameRoles, may } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { USER_ACTS } from "../acts.ts";
import { statusOf, type User } from "../list/user-queries.server.ts";
import { keepSignInMethods, removeSignInMethods } from "../screen/user-sign-in-methods.server.ts";
import { type BanDuration, banEnd } from "./ban-duration.ts";
import { BULK_INTENTS, type UserChange, type UsersChange } from "./input.ts";
import { inviteUsers } from "./invitation.server.ts";
import { releasePasskey } from "./passkey-release.server.ts";
import {
  banUsers,
  deleteUsers,
  type Results,
  revokeUserSessions,
  setRoles,
  unbanUsers,
} from "./user-commands.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { allowMail } from "./user-mailbox.server.ts";
import {
  attempt,
  messageOf,
  type Result,
  refusalOf,
  type UserRefusal,
} from "./user-record.server.ts";

/** A manager's change of a user. Impersonation belongs to auth. */
export type UserCommand = Exclude<UserChange, { intent: "impersonate" }>;

/** What acts on many users need to know. */
type Inputs = {
  ban: { reason: string | null; duration: BanDuration; until?: string | undefined };
  unban: unknown;
  "set-role": { role: string };
  invite: unknown;
  delete: unknown;
};

type OfMany = keyof Inputs;
type Commands = { [C in UserCommand as C["intent"]]: C };
type OfOne = Exclude<keyof Commands, OfMany>;

/** A chosen user, the rule that protects them now, and whether one can protect the last of several. */
type Chosen = User & { rule: "LAST_ADMIN" | "SOLE_OWNER" | null; hasDuty: number };

type ManyChange<Input> = {
  run: (services: UserServices, actor: Actor, ids: string[], input: Input) => Promise<Results>;
  /** Message after a change on the user's own screen, and after one of the list. */
  done: { one: CheckedMessage; many: MessageKey };
  /** Messages on the user's own screen that replace `users:refusal.<code>`. */
  refusals?: Partial<Record<UserRefusal, CheckedMessage>>;
  /** Reason why a chosen user needs no change or cannot have it; undefined when there is something to change. */
  findRefusal: (row: Chosen, input: Input, now: Date) => CheckedMessage | undefined;
};

/** What is done to one user, or to the chosen users of the list in one batch. */
const OF_MANY: { [I in OfMany]: ManyChange<Inputs[I]> } = {
  ban: {
    run: (services, actor, ids, { reason, duration, until }) => {
      const { timeZone } = services;
      const banExpires = banEnd({ duration, until, timeZone }, actor.source.now());
      return banUsers(services, actor, { ids, reason, banExpires });
    },
    done: { one: "users:toast.banned", many: "users:bulk.banned" },
    refusals: { yourself: "codes:YOU_CANNOT_BAN_YOURSELF" },
    findRefusal: (row, _input, now) => {
      if (statusOf(row, now) === "banned") return "users:bulk.alreadyBanned";
      return row.rule === "LAST_ADMIN" ? bulkMessage("last_admin") : undefined;
    },
  },
  unban: {
    run: ({ db }, actor, ids) => unbanUsers(db, actor, ids),
    done: { one: "users:toast.unbanned", many: "users:bulk.unbanned" },
    findRefusal: (row, _input, now) =>
      statusOf(row, now) === "banned" ? undefined : "users:bulk.notBanned",
  },
  "set-role": {
    run: (services, actor, ids, { role }) => setRoles(services, actor, { ids, role }),
    done: { one: "users:toast.updated", many: "users:bulk.roleSet" },
    findRefusal: (row, input) => {
      if (haveSameRoles(row, input)) return "users:bulk.sameRole";
      return row.rule === "LAST_ADMIN" ? bulkMessage("last_admin") : undefined;
    },
  },
  invite: {
    run: inviteUsers,
    done: { one: "users:toast.invited", many: "users:bulk.invited" },
    findRefusal: (row, _input, now) => {
      if (statusOf(row, now) === "banned") return "users:bulk.alreadyBanned";
      return row.lastSeenAt ? "users:refusal.signed_in" : undefined;
    },
  },
  delete: {
    run: deleteUsers,
    done: { one: "users:toast.deleted", many: "users:bulk.deleted" },
    refusals: { yourself: "codes:YOU_CANNOT_REMOVE_YOURSELF" },
    findRefusal: ({ rule }) =>
      rule ? bulkMessage(rule === "LAST_ADMIN" ? "last_admin" : "sole_owner") : undefined,
  },
};

type OneChange<Input> = {
  run: (services: UserServices, actor: Actor, id: string, input: Input) => Promise<Result>;
  done: CheckedMessage;
};

/** What is done to one user only. */
const OF_ONE: { [I in OfOne]: OneChange<Commands[I]> } = {
  revoke: {
    run: ({ db }, actor, userId, { session: sessionId }) =>
      revokeUserSessions(db, actor, { userId, sessionId }),
    done: "users:toast.revoked",
  },
  "revoke-all": {
    run: ({ db }, actor, userId) => revokeUserSessions(db, actor, { userId }),
    done: "users:toast.revoked",
  },
  "remove-methods": { run: removeSignInMethods, done: "users:toast.methodsRemoved" },
  "keep-methods": { run: keepSignInMethods, done: "users:toast.methodsKept" },
  "release-passkey": { run: releasePasskey, done: "users:toast.passkeyReleased" },
  "allow-mail": { run: allowMail, done: "users:toast.mailAllowed" },
};

type Outcome =
  | { ok: true; message: CheckedMessage }
  | { ok: false; error: UserRefusal; message: CheckedMessage };

/** Runs a change of a user's screen and returns the message to show. */
export async function changeUser(
  services: UserServices,
  actor: Actor,
  id: string,
  change: UserCommand,
): Promise<Outcome> {
  if (isOfMany(change)) {
    const { done, refusals } = OF_MANY[change.intent];
    const result = await changeOne(services, actor, id, change.intent, change);
    return outcomeOf(result, done.one, refusals);
  }
  return runOfOne(change.intent, change);

  async function runOfOne<I extends OfOne>(intent: I, input: Commands[I]) {
    const { run, done } = OF_ONE[intent];
    return outcomeOf(await run(services, actor, id, input), done);
  }
}

function isOfMany(change: UserCommand): change is Extract<UserCommand, { intent: OfMany }> {
  return Object.hasOwn(OF_MANY, change.intent);
}

function outcomeOf(
  result: Result,
  done: CheckedMessage,
  refusals: ManyChange<unknown>["refusals"] = {},
): Outcome {
  if (result.ok) return { ok: true, message: done };
  const { error } = result;
  return { ok: false, error, message: refusals[error] ?? messageOf(error) };
}

/** Does to one user what can be done to many. */
export function changeOne<I extends OfMany>(
  services: UserServices,
  actor: Actor,
  id: string,
  intent: I,
  input: Inputs[I],
): Promise<Result> {
  return single(id, () => OF_MANY[intent].run(services, actor, [id], input));
}

/** Runs a command for many users with one. */
export function single(id: string, change: () => Promise<Results>): Promise<Result> {
  return attempt(id, async () => (await change()).get(id) ?? true);
}

const WORDS: BulkWords = {
  refused: "users:bulk.refused",
  more: "users:bulk.more",
  unnamed: "users:bulk.unnamed",
};

/** Messages in place of the ones of the user's own screen: names follow them. */
const BULK_REFUSALS: Partial<Record<UserRefusal, CheckedMessage>> = {
  last_admin: "users:bulk.lastAdmin",
  not_banned: "users:bulk.notBanned",
};

function bulkMessage(error: UserRefusal): CheckedMessage {
  return BULK_REFUSALS[error] ?? messageOf(error);
}

/** Returns the changes of chosen users that a manager may make, in the order of their buttons. */
export function listBulkIntents(manager: { role: string }): UsersChange["intent"][] {
  return BULK_INTENTS.filter((intent) => may(manager, USER_ACTS[intent].permission));
}

/**
 * Applies one change to many users, by the rules and with the audit events of the user's own
 * screen. Users that are gone or already in the wanted state are reported as refused.
 */
export async function changeUsers(
  services: UserServices,
  actor: Actor,
  change: UsersChange,
): Promise<BulkReport> {
  const rows = await selectChosen(services.db, change.id);
  const items = await changeTogether(change.id, {
    rows,
    nameOf: ({ name, email }) => name || email,
    detailOf: ({ email }) => email,
    gone: "users:bulk.gone",
    ...changeOf(services, actor, change.intent, change),
    rule: {
      isBroken: (error) => refusalOf(error) !== undefined,
      mayProtect: ({ hasDuty }) => hasDuty === 1,
      refusal: "users:bulk.notTogether",
    },
    onFailure: (error) =>
      log("error", "request.failed", { request: actor.source.id, ...describeError(error) }),
  });
  const report = { done: OF_MANY[change.intent].done.many, words: WORDS, items };
  return change.intent === "ban" ? { ...report, undo: "unban" } : report;
}

function selectChosen(db: Db, ids: string[]) {
  return db
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
    .where(idsIn(user.id, ids));
}

/** Returns what an act does with the chosen users. */
function changeOf<I extends OfMany>(
  services: UserServices,
  actor: Actor,
  intent: I,
  input: Inputs[I],
) {
  const { findRefusal, run } = OF_MANY[intent];
  const now = actor.source.now();
  return {
    // The command refuses the manager with its own reason.
    findRefusal: (row: Chosen) =>
      row.id === actor.actorId && intent !== "set-role" ? undefined : findRefusal(row, input, now),
    change: async (rows: Chosen[]) => {
      const ids = rows.map(({ id }) => id);
      const results = await run(services, actor, ids, input);
      return new Map<string, BulkOutcome>(
        [...results].map(([id, error]) => [id, error && bulkMessage(error)]),
      );
    },
  };
}
