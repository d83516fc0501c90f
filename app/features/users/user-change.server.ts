import type { Db } from "../../db/db.server.ts";
import type { Actor } from "../audit/audit.server.ts";
import type { UserChange } from "./input.ts";
import { banUser, deleteUser, revokeUserSessions, unbanUser } from "./user-commands.server.ts";

/** What a manager does to a user; acting as one is auth's. */
export type UserCommand = Exclude<UserChange, { intent: "impersonate" }>;

type Outcome = ({ ok: true; message: string; isGone: boolean } | { ok: false; error: string }) & {
  /** The picture of whoever was deleted, which nobody needs any more. */
  avatar?: string | null;
};

/** Does what the screen of one user asks for, and answers what to say about it, or which refusal it met. */
export async function changeUser(
  db: Db,
  actor: Actor,
  id: string,
  change: UserCommand,
): Promise<Outcome> {
  switch (change.intent) {
    case "ban":
      return outcome(await banUser(db, actor, { id, ...change }), "banned");
    case "unban":
      return outcome(await unbanUser(db, actor, id), "unbanned");
    case "delete": {
      const result = await deleteUser(db, actor, id);
      return { ...outcome(result, "deleted"), avatar: result.avatar };
    }
    case "revoke":
    case "revoke-all": {
      const sessionId = change.intent === "revoke" ? change.session : undefined;
      return outcome(await revokeUserSessions(db, actor, { userId: id, sessionId }), "revoked");
    }
  }
}

function outcome(
  result: { ok: true } | { ok: false; error: string },
  done: "banned" | "unbanned" | "deleted" | "revoked",
): Outcome {
  if (!result.ok) return result;
  return { ok: true, message: `users:toast.${done}`, isGone: done === "deleted" };
}
