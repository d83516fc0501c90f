import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { newBrowser } from "../../../../tests/support/client.ts";
import { anAdmin, aSignedInUser, aUser, newEmail } from "../../../../tests/support/people.ts";
import { stockClientFor } from "../../../../tests/support/stock-client.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Asks for a code with better-auth's client, and returns what signs in. */
async function askFor(email: string) {
  const browser = newBrowser(gatehouse);
  const client = stockClientFor(gatehouse, browser);
  await client.emailOtp.sendVerificationOtp({ email, type: "sign-in" });
  return { browser, client, otp: await gatehouse.mailbox.codeFor(email) };
}

test("a new user has the name that was sent with the code, and every call is open at once", async () => {
  const email = newEmail();
  const { client, otp } = await askFor(email);

  const { data } = await client.signIn.emailOtp({ email, otp, name: "Layla Haddad", image: "x" });
  const { data: sessions } = await client.listSessions();
  const { data: own } = await client.getSession();

  expect(data?.user).toMatchObject({ name: "Layla Haddad", image: null });
  expect(own?.user).toMatchObject({ name: "Layla Haddad", email });
  expect(sessions).toHaveLength(1);
  const audit = (await auditOf(gatehouse, own?.user.id ?? "")).map(({ action }) => action);
  expect(audit).toContain("user.onboarded");
});

test("a user who has a name keeps it", async () => {
  const { email } = await aUser(gatehouse, { name: "Ada Lovelace" });
  const { client, otp } = await askFor(email);

  const { data } = await client.signIn.emailOtp({ email, otp, name: "Somebody Else" });

  expect(data?.user.name).toBe("Ada Lovelace");
  expect((await client.getSession()).data?.user.name).toBe("Ada Lovelace");
});

test("a name that is none is refused before the code is spent, and an empty one is no name", async () => {
  const email = newEmail();
  const { client, otp } = await askFor(email);

  const refused = await client.signIn.emailOtp({ email, otp, name: "x".repeat(300) });
  const { data, error } = await client.signIn.emailOtp({ email, otp, name: "" });

  expect(refused.error).toMatchObject({ status: 400, code: "INVALID_PAYLOAD", field: "name" });
  expect([error, data?.user.name]).toEqual([null, ""]);
});

test("a name that cannot be kept leaves the person signed in, to be asked for it", async () => {
  gatehouse.expectErrors("auth.name_not_kept");
  const email = newEmail();
  const { client, browser, otp } = await askFor(email);
  await gatehouse.d1
    .prepare(
      `CREATE TRIGGER no_names BEFORE UPDATE OF onboarded_at ON user
       BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    )
    .run();

  const { data, error } = await client.signIn.emailOtp({ email, otp, name: "Layla Haddad" });
  await gatehouse.d1.prepare("DROP TRIGGER no_names").run();

  expect([error, data?.user.name]).toEqual([null, ""]);
  expect((await browser.get("/onboarding")).status).toBe(200);
});

test.each([
  [{ email: "new@example.com" }, "EMAIL_CAN_NOT_BE_UPDATED", "email"],
  [{ name: "Ada", email: "new@example.com" }, "EMAIL_CAN_NOT_BE_UPDATED", "email"],
  [{ name: "Ada", role: "admin" }, "FIELD_NOT_ALLOWED", "role"],
  [{ image: null }, "INVALID_PAYLOAD", "image"],
  [{ name: "" }, "INVALID_PAYLOAD", "name"],
])("an own change of %o is refused with %s at %s", async (body, code, field) => {
  const { browser } = await aSignedInUser(gatehouse);

  const answer = await browser.api("/api/auth/update-user", body);

  expect([answer.status, await answer.json()]).toMatchObject([400, { code, field }]);
});

test("a manager's change of a user bans nobody, and says of oneself that it cannot", async () => {
  const { browser, user: admin } = await anAdmin(gatehouse);
  const other = await aUser(gatehouse);
  const ban = async (userId: string) => {
    const answer = await browser.api("/api/auth/admin/update-user", {
      userId,
      data: { banned: true },
    });
    return [answer.status, await answer.json()];
  };

  expect(await ban(admin.id)).toMatchObject([
    400,
    { code: "YOU_CANNOT_BAN_YOURSELF", field: "data.banned" },
  ]);
  expect(await ban(other.id)).toMatchObject([
    400,
    { code: "INVALID_PAYLOAD", field: "data.banned" },
  ]);
  const rows = gatehouse.d1.prepare("SELECT count(*) AS n FROM user WHERE banned = 1");
  expect((await rows.first<{ n: number }>())?.n).toBe(0);
});
