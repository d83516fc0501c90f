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

/** Makes the last proof of identity of a user's sessions older than an act accepts. */
export async function makeProofOld(
  { d1 }: Pick<Gatehouse, "d1">,
  { id }: { id: string },
  minutes = 16,
): Promise<void> {
  await d1
    .prepare("UPDATE session SET created_at = ?, authenticated_at = NULL WHERE user_id = ?")
    .bind(Date.now() - minutes * 60_000, id)
    .run();
}

/** Returns what the sign-in log has about a user beside mails, sessions and events. */
export async function signInSteps({ d1 }: Pick<Gatehouse, "d1">, userId: string) {
  const { results } = await d1
    .prepare("SELECT outcome FROM sign_in_step WHERE user_id = ? ORDER BY outcome")
    .bind(userId)
    .all<{ outcome: string }>();
  return results.map(({ outcome }) => outcome);
}
