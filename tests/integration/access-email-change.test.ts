import { afterAll, beforeAll, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import {
  ACCOUNT,
  askForChange,
  changePath,
  enterChangeCode,
  proveCurrent,
} from "../support/account.ts";
import { accessibleError, locationOf, readText } from "../support/client.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, type Person } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// Tests that the rules of who may come in also hold for a change of e-mail.

const LISTED = "boss@refused.example";
const REFUSED = "Email addresses at this domain can't be used here. Use another one.";

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: LISTED } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

const save = (settings: Record<string, string>) => saveAccess(gatehouse, manager, settings);

function emailOf(id: string) {
  return gatehouse.d1.prepare("SELECT email FROM user WHERE id = ?").bind(id).first("email");
}

beforeAll(() => save({ blockedDomains: "refused.example" }));

test.each([
  ["a blocked domain", newEmail().replace("example.com", "refused.example")],
  ["a subdomain of one", "a@mail.refused.example"],
])("nobody moves an account to %s, and no code is sent", async (_name, to) => {
  const { user, browser } = await aSignedInUser(gatehouse);

  const refused = await askForChange(browser, to);

  expect(refused.status).toBe(400);
  expect(accessibleError(await refused.text(), "email")).toBe(REFUSED);
  const mails = await gatehouse.d1
    .prepare(
      "SELECT count(*) AS n FROM mail_outbox WHERE recipient IN (?, ?) AND kind = 'account-code'",
    )
    .bind(user.email, to)
    .first<number>("n");
  expect(mails).toBe(0);
});

test("the refusal does not tell whether the e-mail has an account", async () => {
  const { email: taken } = await aUser(gatehouse, { email: "kofi@refused.example" });
  const { browser } = await aSignedInUser(gatehouse);
  const answer = async (email: string) => {
    const response = await askForChange(browser, email);
    return [response.status, readText(await response.text()).replaceAll(email, "EMAIL")];
  };

  expect(await answer(taken)).toEqual(await answer("nobody@refused.example"));
});

test("a domain that is blocked between the steps ends the change", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const to = "late@turned.example";
  const code = await proveCurrent(gatehouse, browser, user.email, to);
  await save({ blockedDomains: "refused.example\nturned.example" });

  const entered = await enterChangeCode(browser, to, code);
  const resent = await browser.submit(changePath(to), { intent: "resend" });

  for (const response of [entered, resent]) {
    expect(response.status).toBe(400);
    expect(readText(await response.text())).toContain(REFUSED);
  }
  expect(await emailOf(user.id)).toBe(user.email);
});

test("an e-mail of ADMIN_EMAILS passes in spite of its domain", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const code = await proveCurrent(gatehouse, browser, user.email, LISTED);

  expect(locationOf(await enterChangeCode(browser, LISTED, code))).toBe(ACCOUNT);
  expect(await emailOf(user.id)).toBe(LISTED);
});

test("a manager's change to a refused domain is an error beside the field; others are saved", async () => {
  const person = await aUser(gatehouse);
  const move = ({ id, role, version }: Person, email: string) =>
    manager.submit(`/manager/users/${id}/update`, {
      name: "Renamed",
      email,
      role,
      version: String(version),
    });

  const refused = await move(person, "a@refused.example");
  expect(refused.status).toBe(400);
  expect(accessibleError(await refused.text(), "email")).toBe(
    "The access settings refuse email addresses at this domain",
  );
  expect(await emailOf(person.id)).toBe(person.email);

  // A user who has an e-mail of such a domain keeps it while the name changes.
  const insider = await aUser(gatehouse, { email: "zuri@refused.example" });
  expect((await move(insider, insider.email)).status).toBe(302);
});
