import type { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import type { Actor } from "../audit/audit.server.ts";
import type { UserChange } from "./input.ts";
import { banUser, deleteUser, revokeUserSessions, unbanUser } from "./user-commands.server.ts";

type Outcome = {
  message: string;
  isRefused: boolean;
  isGone: boolean;
  /** The picture of whoever was deleted, which nobody needs any more. */
  avatar?: string | null;
};

/** Does what the screen of one user asks for, and answers what to say about it. */
export async function changeUser(
  db: Db,
  actor: Actor,
  id: string,
  change: z.infer<typeof UserChange>,
): Promise<Outcome> {
  switch (change.intent) {
    case "ban":
      return outcome(await banUser(db, actor, { id, ...change }), "banned");
    case "unban":
      return outcome(await unbanUser(db, actor, id), "unbanned");
    case "delete": {
      const result = await deleteUser(db, actor, id);
      const isGone = result.ok || result.error === "conflict";
      return { ...outcome(result, "deleted"), isGone, avatar: result.avatar };
    }
    case "revoke":
    case "revoke-all": {
      const sessionId = change.intent === "revoke" ? change.session : undefined;
      await revokeUserSessions(db, actor, { userId: id, sessionId });
      return outcome({ ok: true }, "revoked");
    }
  }
}

function outcome(
  result: { ok: true } | { ok: false; error: string },
  done: "banned" | "unbanned" | "deleted" | "revoked",
): Outcome {
  const message = result.ok ? `users:toast.${done}` : `users:refusal.${result.error}`;
  return { message, isRefused: !result.ok, isGone: false };
}
