import { auditOf } from "./audit.ts";
import type { Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

/** Returns the path of a user in the back-office. */
export function userPath(id: string, rest = ""): string {
  return `/manager/users/${id}${rest}`;
}

/** Returns the row of a user, or null. */
export function findPerson(gatehouse: Pick<Gatehouse, "d1">, id: string) {
  return gatehouse.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

/** Returns the ids of a user's sessions, the oldest first. */
export async function sessionsOf(
  gatehouse: Pick<Gatehouse, "d1">,
  userId: string,
): Promise<string[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM session WHERE user_id = ? ORDER BY created_at, id")
    .bind(userId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Returns the audit events about a user that another user caused. */
export async function changesOf(gatehouse: Pick<Gatehouse, "d1">, userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.filter(({ actorId }) => actorId !== userId);
}

/** Returns a function that counts the sessions of an e-mail's user. */
export function sessionCounts({ d1 }: Pick<Gatehouse, "d1">) {
  return async (email: string): Promise<number> => {
    const row = await d1
      .prepare(
        "SELECT count(*) AS n FROM session JOIN user ON user.id = session.user_id WHERE email = ?",
      )
      .bind(email)
      .first<{ n: number }>();
    return row?.n ?? 0;
  };
}
