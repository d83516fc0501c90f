/** A guard of the product, the change that takes it out, and the file of tests that must fail then. */
export type Mutation = {
  guard: string;
  /** File or glob that has `find` at least once; each occurrence is replaced. */
  files: string;
  find: string;
  replacement: string;
  caughtBy: string;
};

/** What the mutation check takes out, one at a time. */
export const MUTATIONS: Mutation[] = [
  {
    guard: "an action needs its permission",
    files: "app/middleware/current-user.ts",
    find: "if (!can(current.user, resource, action)) {",
    replacement: "if (!can(current.user, resource, action) && Math.random() > 1) {",
    caughtBy: "tests/integration/roles.test.ts",
  },
  {
    guard: "what hurts needs a fresh proof of identity",
    files: "app/features/access/proof.ts",
    find: "return !Object.hasOwn(HARMLESS, act);",
    replacement: "return !HARMLESS || act === undefined;",
    caughtBy: "tests/integration/recent-proof.test.ts",
  },
  {
    guard: "a sign-in method changes only in a session that a passkey has proven",
    files: "app/features/auth/gateway/endpoint-call.server.ts",
    find: 'if (access !== "confirmation" && isPasskeyMissing(',
    replacement: 'if (access === "confirmation" && isPasskeyMissing(',
    caughtBy: "tests/integration/passkey-proof.test.ts",
  },
  {
    guard: "a form of another site changes nothing",
    files: "app/http/origin.ts",
    find: "if (!isMutation(request)) return false;",
    replacement: "if (baseUrl) return false;",
    caughtBy: "tests/integration/origin.test.ts",
  },
  {
    guard: "an answer has no session token",
    files: "app/features/auth/gateway/auth-answer.ts",
    find: "body: withoutTokens(body)",
    replacement: "body: { ...withoutTokens(body), ...body }",
    caughtBy: "tests/integration/gateway.test.ts",
  },
  {
    guard: "a member changes only their own organization",
    files: "app/features/organizations/standing.server.ts",
    find: "and(isKey(key), isOpen, isMember, also)",
    replacement: "and(isOpen, isMember, also)",
    caughtBy: "tests/integration/organization-isolation.test.ts",
  },
  {
    guard: "a change of an older version is refused",
    files: "app/features/site-settings/brand/brand.server.ts",
    find: ".where(and(eq(brand.id, 1), eq(brand.version, version)))",
    replacement: ".where(eq(brand.id, 1))",
    caughtBy: "tests/integration/brand.test.ts",
  },
  {
    guard: "a code has three tries",
    files: "app/features/auth/codes/sign-in-codes.server.ts",
    find: "lt(signInCode.ownTries, CODE_TRIES)",
    replacement: "lt(signInCode.ownTries, 99)",
    caughtBy: "tests/integration/sign-in-codes.test.ts",
  },
  {
    guard: "limits count the /64 network of an IPv6 address",
    files: "app/values/client-network.ts",
    find: 'if (!ipAddress.includes(":")) return ipAddress;',
    replacement: "return ipAddress;",
    caughtBy: "tests/integration/limits.test.ts",
  },
  {
    guard: "the last admin stays an admin",
    files: "migrations/*.sql",
    find: "SELECT RAISE(ABORT, 'LAST_ADMIN')",
    replacement: "SELECT 'LAST_ADMIN'",
    caughtBy: "tests/integration/last-admin.test.ts",
  },
  {
    guard: "audit events are never changed",
    files: "migrations/*.sql",
    find: "SELECT RAISE(ABORT, 'audit_event is append-only')",
    replacement: "SELECT 'audit_event'",
    caughtBy: "tests/integration/audit-retention.test.ts",
  },
  {
    guard: "a manager who impersonates a user cannot change their account",
    files: "app/middleware/current-user.ts",
    find: "if (!current.session.impersonatedBy) return current;",
    replacement: "if (current.session) return current;",
    caughtBy: "tests/integration/impersonation.test.ts",
  },
];
