import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { revokeUnprovenAccountAccess } from "better-auth/db";
import { z } from "zod";
import type { user } from "../../../db/schema/schema.ts";

/** Who has entered the right code to an e-mail. `known` is the user who has the e-mail. */
const Proven = z.object({
  email: z.string(),
  known: z.custom<typeof user.$inferSelect>().optional(),
});

/**
 * What better-auth does in a sign-in by code (`signInByCode`). It is an endpoint, because only an
 * endpoint of better-auth sets its cookie; without a path, so that no request reaches it.
 */
export const codeSession = {
  id: "gatehouse-code-session",
  endpoints: {
    /**
     * Creates the user of an e-mail that has none, makes a session and sets its cookie. Hooks and
     * triggers refuse a banned user. Undefined when the user was deleted meanwhile.
     */
    beginSession: createAuthEndpoint.serverOnly(
      { method: "POST", body: Proven },
      async (context) => {
        const { internalAdapter } = context.context;
        const { email, known } = context.body;
        const made = { email, emailVerified: true, name: "" };
        let person = known ?? (await internalAdapter.createUser(made, { method: "email-otp" }));
        if (!person.emailVerified) {
          // What was added before the owner proved the e-mail may be a stranger's.
          const proven = await revokeUnprovenAccountAccess(context, person.id);
          if (!proven) return undefined;
          person = proven;
        }
        const session = await internalAdapter.createSession(person.id);
        await setSessionCookie(context, { session, user: person });
        return { user: person };
      },
    ),
  },
} satisfies BetterAuthPlugin;
