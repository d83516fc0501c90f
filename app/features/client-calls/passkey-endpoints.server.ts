import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { passkey } from "../../db/schema/schema.ts";
import { OwnName } from "../../values/person-name.ts";
import { ACCOUNT_ACTS } from "../account/acts.ts";
import type { Actor } from "../audit/audit.server.ts";
import type {
  ClientEndpoint,
  ClientRefusal,
  ClientRequest,
} from "../auth/gateway/client-endpoint.ts";
import { removePasskey, renamePasskey } from "../passkeys/own-passkeys.server.ts";

const OnePasskey = z.object({ id: z.string().min(1).max(64) });
const NewName = OnePasskey.extend({ name: OwnName });
const Nothing = z.unknown().transform(() => ({}));

/** What the client of better-auth's plugin knows of a passkey. */
const SHOWN = {
  id: passkey.id,
  name: passkey.name,
  userId: passkey.userId,
  publicKey: passkey.publicKey,
  credentialID: passkey.credentialID,
  counter: passkey.counter,
  deviceType: passkey.deviceType,
  backedUp: passkey.backedUp,
  transports: passkey.transports,
  aaguid: passkey.aaguid,
  createdAt: passkey.createdAt,
  lastUsedAt: passkey.lastUsedAt,
};

/** An unknown passkey and one of another user get the same answer. */
const NOT_FOUND: ClientRefusal = {
  ok: false,
  status: 404,
  code: "PASSKEY_NOT_FOUND",
  message: "codes:NOT_FOUND",
};

/**
 * Returns the endpoints of better-auth's passkey plugin that show and change the user's passkeys, by path, for the auth
 * gateway. better-auth itself answers those that add one and sign in.
 */
export function createPasskeyEndpoints({ db }: { db: Db }) {
  return {
    "/passkey/list-user-passkeys": {
      method: "GET",
      input: Nothing,
      answer: async ({ current }) => ({
        ok: true,
        body: await db
          .select(SHOWN)
          .from(passkey)
          .where(eq(passkey.userId, current.user.id))
          .orderBy(desc(passkey.createdAt)),
      }),
    } satisfies ClientEndpoint,
    "/passkey/update-passkey": {
      method: "POST",
      change: "account",
      act: ACCOUNT_ACTS.update,
      input: NewName,
      answer: async (request, { id, name }) => {
        if (!(await renamePasskey(db, actorOf(request), id, name))) return NOT_FOUND;
        const [renamed] = await db
          .select(SHOWN)
          .from(passkey)
          .where(and(eq(passkey.id, id), eq(passkey.userId, request.current.user.id)));
        return renamed ? { ok: true, body: { passkey: renamed } } : NOT_FOUND;
      },
    } satisfies ClientEndpoint<z.infer<typeof NewName>>,
    "/passkey/delete-passkey": {
      method: "POST",
      change: "method",
      act: ACCOUNT_ACTS["remove-method"],
      input: OnePasskey,
      answer: async (request, { id }) => {
        const isRemoved = await removePasskey(db, actorOf(request), id);
        return isRemoved ? { ok: true, body: { status: true } } : NOT_FOUND;
      },
    } satisfies ClientEndpoint<z.infer<typeof OnePasskey>>,
  };
}

function actorOf({ current, info }: ClientRequest): Actor {
  const { user, session } = current;
  return { actorId: user.id, impersonatorId: session.impersonatedBy, source: info };
}
