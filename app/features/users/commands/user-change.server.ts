import { eq } from "drizzle-orm";
import { user } from "../../../db/schema/schema.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Permission } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { keepSignInMethods, removeSignInMethods } from "../screen/user-sign-in-methods.server.ts";
import { banEnd } from "./ban-duration.ts";
import type { UserChange } from "./input.ts";
import { inviteAgain } from "./invitation.server.ts";
import { releasePasskey } from "./passkey-release.server.ts";
import {
  banUsers,
  deleteUsers,
  type Results,
  revokeUserSessions,
  unbanUsers,
} from "./user-commands.server.ts";
import type { UserServices } from "./user-mail.server.ts";
import { allowMail } from "./user-mailbox.server.ts";
import { attempt, messageOf, type Result, type UserRefusal } from "./user-record.server.ts";

/** A manager's change of a user. Impersonation and API keys belong to auth. */
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
    run: (services, actor, id, change) =>
      single(id, () => {
        const { timeZone } = services;
        const banExpires = banEnd({ ...change, timeZone }, actor.source.now());
        return banUsers(services, actor, { ids: [id], reason: change.reason, banExpires });
      }),
    done: "users:toast.banned",
    refusals: { yourself: "codes:YOU_CANNOT_BAN_YOURSELF" },
  },
  unban: {
    permission: ["user", "ban"],
    run: ({ db }, actor, id) => single(id, () => unbanUsers(db, actor, [id])),
    done: "users:toast.unbanned",
  },
  delete: {
    permission: ["user", "delete"],
    run: deleteOne,
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

async function deleteOne(services: UserServices, actor: Actor, id: string): Promise<Done> {
  const [account] = await services.db
    .select({ id: user.id, email: user.email })
    .from(user)
    .where(eq(user.id, id));
  if (!account) return { ok: false, error: "not_found" };
  let avatar: string | undefined;
  const result = await single(id, async () => {
    const { results, avatars } = await deleteUsers(services, actor, [account]);
    avatar = avatars.get(id);
    return results;
  });
  return { ...result, avatar };
}

/** Runs a command for many users with one. */
export function single(id: string, change: () => Promise<Results>): Promise<Result> {
  return attempt(id, async () => (await change()).get(id) ?? true);
}
