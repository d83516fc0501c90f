import { and, eq, inArray, or, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { account, user } from "../../../db/schema/schema.ts";
import { type Admission, isAdmittedBy, selectAdmission } from "./admission.server.ts";
import { currentScope } from "./scope.server.ts";
import {
  know,
  knowUser,
  newSignInCall,
  readProof,
  type SignInCall,
} from "./sign-in-call.server.ts";

/** Opens the call for a provider's redirect with a state. The state's row is read ahead. */
export function openProviderCall(db: Db, state: string): SignInCall {
  const call = newSignInCall(db);
  readProof(call, `auth-state:${state}`);
  return call;
}

/**
 * Tells the auth gateway the identity that the provider reports, and reads ahead what better-auth will ask about it.
 * The identity is known only after the provider's answer, so this is a separate batch. The provider's data changes
 * nothing in the local user.
 */
export async function keepIdentity(
  { admissionOf }: { admissionOf: Admission },
  provider: string,
  id: unknown,
  email: unknown,
) {
  if (typeof email !== "string") return {};
  const scope = currentScope();
  const accountId = String(id);
  scope.identity = { provider, accountId, email };
  if (scope.signInCall) {
    const admission = admissionOf(email.toLowerCase(), scope.request.now());
    scope.isAdmitted = await readIdentity(
      scope.signInCall,
      { provider, accountId, email: email.toLowerCase() },
      admission,
    );
  }
  return {};
}

/** Reads ahead what better-auth will ask. Returns whether a person with this e-mail may get an account. */
async function readIdentity(
  call: SignInCall,
  { provider, accountId, email }: { provider: string; accountId: string; email: string },
  admission: SQL,
): Promise<boolean> {
  const { db } = call;
  const isNamed = and(eq(account.providerId, provider), eq(account.accountId, accountId));
  const owner = db.select({ id: account.userId }).from(account).where(isNamed);
  const namesake = db.select({ id: user.id }).from(user).where(eq(user.email, email));
  const [linked, users, accounts, admitted] = await db.batch([
    db.select().from(account).where(isNamed),
    db
      .select()
      .from(user)
      .where(or(eq(user.email, email), inArray(user.id, owner))),
    db.select().from(account).where(inArray(account.userId, namesake)),
    selectAdmission(db, admission),
  ]);
  const byKey = { model: "account", where: { providerId: provider, accountId } };
  know(call, byKey, linked);
  const owned = linked.flatMap((row) => {
    const found = users.find(({ id }) => id === row.userId);
    return knowUser(call, { id: row.userId }, found).map((known) => ({ ...row, user: known }));
  });
  know(call, { ...byKey, join: "user" }, owned);
  const sameEmail = knowUser(
    call,
    { email },
    users.find((row) => row.email === email),
  );
  know(
    call,
    { model: "user", where: { email }, join: "account" },
    sameEmail.map((known) => ({ ...known, account: accounts })),
  );
  return isAdmittedBy(admitted);
}
