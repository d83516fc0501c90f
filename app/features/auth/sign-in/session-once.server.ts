import type { DBAdapter } from "better-auth";
import { isConnectionLost } from "../../../db/bounded-d1.server.ts";

/**
 * Returns better-auth's adapter that makes a session once, also when the connection is lost meanwhile: it looks for the
 * session's token, and writes the session again only where it is missing. Without this the person would have to sign in
 * again, and an unused session could stay.
 */
export function withSessionOnce(adapter: DBAdapter): DBAdapter {
  const create: DBAdapter["create"] = async (query) => {
    try {
      return await adapter.create(query);
    } catch (error) {
      const { token } = query.data;
      if (query.model !== "session" || !isConnectionLost(error)) throw error;
      const where = [{ field: "token", value: String(token) }];
      const made = await adapter.findOne<never>({ model: query.model, where });
      return made ?? adapter.create(query);
    }
  };
  return { ...adapter, create };
}
