import { getAuthStateVerificationIdentifier } from "better-auth";
import { getOAuthState } from "better-auth/api";
import { and, eq, inArray, or } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { account, user, verification } from "../../../db/schema/schema.ts";
import { safeRedirect } from "../../../http/safe-redirect.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { allMailboxesOf } from "../mailbox.ts";
import { type AdmissionParts, readAdmission, selectAdmission } from "./admission.server.ts";
import { selectMailboxBans } from "./banned-mailbox.server.ts";
import { addToFirst } from "./first-batch.server.ts";
import { know, take } from "./rows-ahead.server.ts";
import { currentScope, type GatewayScope, newSignUp, type ProviderReturn } from "./scope.server.ts";

/**
 * Opens the call for a provider's redirect: its state is taken out of the database, so only one of two calls finds it.
 */
export function openProviderReturn(
  db: Db,
  { rows, first }: Pick<GatewayScope, "rows" | "first">,
  state: string,
): ProviderReturn {
  const identifier = getAuthStateVerificationIdentifier(state);
  addToFirst(
    first,
    (isAllowed) =>
      [
        db
          .delete(verification)
          .where(and(eq(verification.identifier, identifier), isAllowed))
          .returning(),
      ] as const,
    ([states]) => take(rows, "verification", { identifier }, states),
  );
  return {
    ...newSignUp(),
    type: "provider",
    signedIn: undefined,
    admission: undefined,
    identity: undefined,
    refusedEmail: undefined,
    linking: undefined,
  };
}

/**
 * Notes the identity that a provider reports, if its e-mail is of one of these domains; an empty list stands for all.
 * better-auth gets no e-mail of another domain, so it neither signs in nor links such an account.
 */
export async function keepIdentityOf(
  options: AdmissionParts & { db: Db; keys: Keys },
  provider: string,
  id: unknown,
  { email, domains }: { email: unknown; domains: string[] },
) {
  const isAllowed =
    typeof email !== "string" || domains.length === 0 || domains.includes(domainOf(email));
  if (isAllowed) return keepIdentity(options, provider, id, email);
  const { subject } = currentScope();
  if (subject.type === "provider") subject.refusedEmail = email;
  return { email: null };
}

/**
 * Returns the page to open after the sign-in. better-auth keeps it in its state, inside the URL of
 * the login page.
 */
async function pageAfterwards(): Promise<string | undefined> {
  const back = (await getOAuthState())?.callbackURL;
  const target = typeof back === "string" ? back.split("?")[1] : undefined;
  return safeRedirect(new URLSearchParams(target).get("redirect"));
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * Notes the identity that the provider reports, and reads ahead what better-auth will ask about it.
 * The identity is known only after the provider's answer, so this is a batch of its own. The
 * provider's data changes nothing in the local user.
 */
export async function keepIdentity(
  { db, keys, admissionOf, entryLinkOf }: AdmissionParts & { db: Db; keys: Keys },
  provider: string,
  id: unknown,
  reported: unknown,
) {
  if (typeof reported !== "string") return {};
  const { rows, subject, request } = currentScope();
  if (subject.type !== "provider") return {};
  const accountId = String(id);
  subject.identity = { provider, accountId, email: reported };
  const email = reported.toLowerCase();
  const now = request.now();
  const isNamed = and(eq(account.providerId, provider), eq(account.accountId, accountId));
  const owner = db.select({ id: account.userId }).from(account).where(isNamed);
  const namesake = db.select({ id: user.id }).from(user).where(eq(user.email, email));
  const link = await entryLinkOf(await pageAfterwards());
  const [linked, users, accounts, admitted, mailboxBans] = await db.batch([
    db.select().from(account).where(isNamed),
    db
      .select()
      .from(user)
      .where(or(eq(user.email, email), inArray(user.id, owner))),
    db.select().from(account).where(inArray(account.userId, namesake)),
    selectAdmission(db, admissionOf, { email, now, link }),
    selectMailboxBans(db, await allMailboxesOf(keys, email), now),
  ]);
  subject.people = users;
  subject.admission = { ...readAdmission(admitted, link), mailboxBans };
  for (const row of users) know(rows, "user", { id: row.id }, [row]);
  const namesakes = users.filter((row) => row.email === email);
  know(
    rows,
    "user",
    { email },
    namesakes.map((row) => ({ ...row, account: accounts })),
  );
  const owned = linked.map((row) => ({ ...row, user: users.find(({ id }) => id === row.userId) }));
  know(rows, "account", { providerId: provider, accountId }, owned);
  return {};
}
