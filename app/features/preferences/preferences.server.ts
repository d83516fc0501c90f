import { eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { user } from "../../db/schema/schema.ts";

/**
 * Keeps a choice on the user, so that a new device starts with it and mails follow. How the pages look is no change
 * of the account: it makes no audit row, and no form of a manager goes stale over it.
 */
export async function keepPreference(
  db: Db,
  userId: string,
  choice: { language: string } | { theme: string },
): Promise<void> {
  await db.update(user).set(choice).where(eq(user.id, userId));
}
