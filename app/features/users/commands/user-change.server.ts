import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Permission } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { keepSignInMethods, removeSignInMethods } from "../screen/user-sign-in-methods.server.ts";
import type { UserChange } from "./input.ts";
import { inviteAgain } from "./invitation.server.ts";
import { releasePasskey } from "./passkey-release.server.ts";
import { banUser, deleteUser, revokeUserSessions, unbanUser } from "./user-commands.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { allowMail } from "./user-mailbox.server.ts";
import { messageOf, type Result, type UserRefusal } from "./user-record.server.ts";

/** A manager's change of a user. Impersonation belongs to auth. */
export type UserCommand = Exclude<UserChange, { intent: "impersonate" }>;

type Changes = { [C in UserCommand as C["intent"]]: C };

/** `avatar` is the file name of a deleted user's picture. */
type Done = Result & { avatar?: string | null };

type Command<Change> = {
  permission: Permission;
  run: (services: UserServices, actor: Actor, id: string, change: Change) => Promise<Done>;
  done: CheckedMessage;
  /** Messages that replace `users:refusal.<code>`. */
  refusals?: Partial<Record<UserRefusal, CheckedMessage>>;
};

/** Commands of a user's screen: permission, function and message. */
export const USER_COMMANDS: { [I in keyof Changes]: Command<Changes[I]> } = {
  ban: {
    permission: ["user", "ban"],
    run: ({ db }, actor, id, change) => banUser(db, actor, { id, ...change }),
    done: "users:toast.banned",
    refusals: { yourself: "codes:YOU_CANNOT_BAN_YOURSELF" },
  },
  unban: {
    permission: ["user", "ban"],
    run: ({ db }, actor, id) => unbanUser(db, actor, id),
    done: "users:toast.unbanned",
  },
  delete: {
    permission: ["user", "delete"],
    run: ({ db }, actor, id) => deleteUser(db, actor, id),
    done: "users:toast.deleted",
    refusals: { yourself: "codes:YOU_CANNOT_REMOVE_YOURSELF" },
  },
  revoke: {
    permission: ["session", "revoke"],
    run: ({ db }, actor, userId, { session: sessionId }) =>
      revokeUserSessions(db, actor, { userId, sessionId }),
    done: "users:toast.revoked",
  },
  "revoke-all": {
    permission: ["session", "delete"],
    run: ({ db }, actor, userId) => revokeUserSessions(db, actor, { userId }),
    done: "users:toast.revoked",
  },
  invite: {
    permission: ["mail", "retry"],
    run: inviteAgain,
    done: "users:toast.invited",
  },
  "remove-methods": {
    permission: ["user", "update"],
    run: removeSignInMethods,
    done: "users:toast.methodsRemoved",
  },
  "keep-methods": {
    permission: ["user", "update"],
    run: keepSignInMethods,
    done: "users:toast.methodsKept",
  },
  "release-passkey": {
    permission: ["user", "set-role"],
    run: releasePasskey,
    done: "users:toast.passkeyReleased",
  },
  "allow-mail": {
    permission: ["mail", "retry"],
    run: allowMail,
    done: "users:toast.mailAllowed",
  },
};

type Outcome =
  | { ok: true; message: CheckedMessage; avatar: string | null }
  | { ok: false; error: UserRefusal; message: CheckedMessage };

/** Runs a command of a user's screen and returns the message to show. */
export async function changeUser(
  services: UserServices,
  actor: Actor,
  id: string,
  change: UserCommand,
): Promise<Outcome> {
  return run(change.intent, change);

  async function run<I extends keyof Changes>(intent: I, input: Changes[I]): Promise<Outcome> {
    const { run: command, done, refusals } = USER_COMMANDS[intent];
    const result = await command(services, actor, id, input);
    if (result.ok) return { ok: true, message: done, avatar: result.avatar ?? null };
    const { error } = result;
    return { ok: false, error, message: refusals?.[error] ?? messageOf(error) };
  }
}
