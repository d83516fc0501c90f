import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { signJWT } from "better-auth/plugins/jwt";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { decodeJwt } from "jose";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import { session } from "../../db/schema/schema.ts";
import type { Host } from "../../feature.server.ts";
import { currentScope } from "../auth/sign-in/scope.server.ts";
import { hashSecret } from "./client-secret.ts";
import { PROOF_CLAIMS } from "./proof-claims.ts";
import { oauthRefreshToken, oauthSessionApp } from "./tables.server.ts";

const Answer = z.looseObject({ id_token: z.string(), refresh_token: z.string().optional() });

const Claims = z.looseObject({
  aud: z.string(),
  // Null when the session has ended. A claim without a value is left out (Core, 5.3.2).
  sid: z.string().nullish(),
  auth_time: z.number().optional(),
});

type Told = z.infer<typeof Claims>;

/**
 * Lets ID tokens tell how the person proved who they are. The provider always writes the same `acr`
 * and no `amr`, and takes neither from an extension, so the token is signed again.
 */
export function idTokens({ db }: Pick<Host, "db">) {
  return {
    id: "gatehouse-id-tokens",
    hooks: {
      after: [
        {
          matcher: ({ path }) => path === "/oauth2/token",
          handler: createAuthMiddleware(async (ctx) => {
            const answer = Answer.safeParse(ctx.context.returned).data;
            if (!answer) return;
            const told = Claims.parse(decodeJwt(answer.id_token));
            const proof = await readProof(db, told, answer.refresh_token);
            const options = ctx.context.getPlugin("jwt")?.options;
            const payload = {
              ...told,
              sid: told.sid ?? undefined,
              ...(proof && PROOF_CLAIMS[proof]),
            };
            return ctx.json({ ...answer, id_token: await signJWT(ctx, { options, payload }) });
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/**
 * Returns how the person proved who they are, for an ID token: as its refresh token says, or without
 * one as its session says, if there was no newer proof since. Also notes that the app knows of the
 * session, so that it is told of its end.
 */
async function readProof(db: Db, told: Told, refreshToken: string | undefined) {
  const { aud, sid, auth_time } = told;
  const ofToken = db
    .select({ proof: oauthRefreshToken.provedBy })
    .from(oauthRefreshToken)
    .where(eq(oauthRefreshToken.token, await hashSecret(refreshToken ?? "")));
  const ofSession = db
    .select({ proof: session.provedBy })
    .from(session)
    .where(and(eq(session.id, sid ?? ""), sql`${provedAt()} / 1000 = ${auth_time ?? 0}`));
  const row = rowValues(oauthSessionApp, {
    sessionId: sql`${session.id}`,
    clientId: aud,
    createdAt: currentScope().request.now(),
  });
  const noted = db
    .insert(oauthSessionApp)
    .select(sql`SELECT ${row} FROM ${session} WHERE ${eq(session.id, sid ?? "")}`)
    .onConflictDoNothing();
  const [[token], [own]] = await db.batch([ofToken, ofSession, noted]);
  return refreshToken === undefined ? own?.proof : token?.proof;
}

/** SQL expression: when a session was last proven, as `withProofAsSignIn` tells it. */
function provedAt(): SQL {
  const { createdAt, authenticatedAt, passkeyProvedAt } = session;
  return sql`max(${createdAt}, coalesce(${authenticatedAt}, 0), coalesce(${passkeyProvedAt}, 0))`;
}
