import type { Gatehouse } from "./worker.ts";

type SessionRow = {
  id: string;
  token: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
  last_seen_at: number;
};

/** Returns a function that reads the sessions of a user, the oldest first. */
export function sessionRows({ d1 }: Pick<Gatehouse, "d1">) {
  return async (userId: string): Promise<SessionRow[]> => {
    const { results } = await d1
      .prepare("SELECT * FROM session WHERE user_id = ? ORDER BY created_at")
      .bind(userId)
      .all<SessionRow>();
    return results;
  };
}
