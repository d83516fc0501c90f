import { afterAll, expect, test } from "vitest";
import { enterChangeCode, proveCurrent } from "../support/account.ts";
import { type Browser, newBrowser, readText } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, newEmail, openSession } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// A pending invitation belongs to an e-mail, not to a person.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

async function shownTo(browser: Browser): Promise<string> {
  return readText(await (await browser.get("/app/organizations")).text());
}

/** Makes a signed-in user with an invitation to their e-mail, and one to the e-mail that they will have. */
async function anInvitedUser() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const email = newEmail("moved");
  const name = `Old of ${user.id}`;
  const next = `Next of ${user.id}`;
  await anOrganization(gatehouse, { name }, { invitations: [{ email: user.email }] });
  await anOrganization(gatehouse, { name: next }, { invitations: [{ email }] });
  expect(await shownTo(browser)).toContain(name);
  expect(await shownTo(browser)).not.toContain(next);
  return { user, browser, email, name, next };
}

test("after a user's own change of the e-mail only invitations to the new one are shown", async () => {
  const { user, browser, email, name, next } = await anInvitedUser();

  const code = await proveCurrent(gatehouse, browser, user.email, email);
  expect((await enterChangeCode(browser, email, code)).status).toBe(302);

  expect(await shownTo(browser)).not.toContain(name);
  expect(await shownTo(browser)).toContain(next);
});

test("after a manager's change of the e-mail only invitations to the new one are shown", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const { user, email, name, next } = await anInvitedUser();

  const { role, version } = user;
  const response = await manager.submit(`/manager/users/${user.id}/update`, {
    name: user.name,
    email,
    role,
    version: String(version),
  });
  expect(response.status).toBe(302);

  // The change has ended the user's sessions.
  const browser = newBrowser(gatehouse);
  await openSession(gatehouse, browser, user.id);
  expect(await shownTo(browser)).not.toContain(name);
  expect(await shownTo(browser)).toContain(next);
});
