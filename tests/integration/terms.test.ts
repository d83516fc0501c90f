import { afterAll, expect, test } from "vitest";
import { saveAccess } from "../support/access-settings.ts";
import { auditOf } from "../support/audit.ts";
import { accessibleError, locationOf, newBrowser, readText } from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, impersonate } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const TERMS = "https://example.com/terms";
const PRIVACY = "https://example.com/privacy";

const gatehouse = await startGatehouse({
  vars: { TERMS_URL: TERMS, TERMS_VERSION: "1", PRIVACY_URL: PRIVACY },
});
afterAll(() => gatehouse[Symbol.asyncDispose]());

function acceptanceOf(id: string) {
  return gatehouse.d1
    .prepare("SELECT terms_version AS version, terms_accepted_at AS at FROM user WHERE id = ?")
    .bind(id)
    .first<{ version: string | null; at: number | null }>();
}

/** Moves the version on, as an admin does. */
async function moveTo(termsVersion: string) {
  const { browser } = await anAdmin(gatehouse, { terms_version: await inForce() });
  await saveAccess(gatehouse, browser, { termsVersion });
}

async function inForce(): Promise<string> {
  const set = await gatehouse.d1
    .prepare("SELECT terms_version FROM site_setting")
    .first<string | null>("terms_version");
  return set ?? "1";
}

test("the login page and onboarding link to the terms, and onboarding needs them accepted", async () => {
  expect(await (await newBrowser(gatehouse).get("/login")).text()).toContain(`href="${TERMS}"`);
  const { user, browser } = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });
  expect(await (await browser.get("/onboarding")).text()).toContain(`href="${TERMS}"`);

  const refused = await browser.submit("/onboarding", { name: "Zuri", termsVersion: "1" });
  expect(refused.status).toBe(400);
  expect(accessibleError(await refused.text(), "accept")).toBe("Accept the terms to continue");
  expect(await acceptanceOf(user.id)).toEqual({ version: null, at: null });

  const form = { name: "Zuri", termsVersion: "1", accept: "yes" };
  expect(locationOf(await browser.submit("/onboarding", form))).toBe("/app");
  const accepted = await acceptanceOf(user.id);
  expect(accepted?.version).toBe("1");
  expect(accepted?.at).toBeGreaterThan(Date.now() - 60_000);
  expect(
    (await auditOf(gatehouse, user.id))
      .filter(({ action }) => /onboarded|terms/.test(action))
      .map(({ action, details }) => [action, details]),
  ).toEqual([
    ["user.onboarded", { name: "Zuri" }],
    ["user.terms_accepted", { termsVersion: "1" }],
  ]);
  expect((await browser.get("/app")).status).toBe(200);
});

test("a version that moves leads every next page to the terms, back again, and on record", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { terms_version: await inForce() });
  const home = await browser.get("/app/organizations?sort=name");
  expect(home.status).toBe(200);
  await moveTo("2");

  const asked = await browser.get("/app/organizations?sort=name");
  expect(locationOf(asked)).toBe("/terms?redirect=%2Fapp%2Forganizations%3Fsort%3Dname");
  const page = await browser.follow(asked);
  const html = await page.text();
  const text = readText(html);
  expect(text).toContain("Our terms have changed.");
  expect(text).toContain("I accept the terms");
  expect(text).toContain("Version 2");
  const { linkTo } = readPage(html);
  expect([linkTo("terms"), linkTo("Privacy policy")]).toEqual([TERMS, PRIVACY]);
  expect(text).toContain(`Logged with ${user.email} Sign Out`);
  const path = locationOf(asked) ?? "";

  const refused = await browser.submit(path, { termsVersion: "2" });
  expect(refused.status).toBe(400);
  expect(accessibleError(await refused.text(), "accept")).toBe("Accept the terms to continue");
  const stale = await browser.submit(path, { termsVersion: "1", accept: "yes" });
  expect(locationOf(stale)).toBe(path);
  expect((await acceptanceOf(user.id))?.version).toBe("1");

  const accepted = await browser.submit(path, { termsVersion: "2", accept: "yes" });
  expect(locationOf(accepted)).toBe("/app/organizations?sort=name");
  expect((await acceptanceOf(user.id))?.version).toBe("2");
  const events = await auditOf(gatehouse, user.id);
  expect(events.filter(({ action }) => action.includes("terms"))).toEqual([
    { action: "user.terms_accepted", actorId: user.id, details: { termsVersion: "2" } },
  ]);
  const after = await browser.get("/app/organizations?sort=name");
  expect([after.status, after.headers.get("x-d1-calls")]).toEqual([200, "3"]);
});

test("a user who has never accepted terms reads that they are new", async () => {
  const { browser } = await aSignedInUser(gatehouse);

  const page = readText(await (await browser.get("/terms")).text());

  expect(page).toContain("We now have terms. Please read and accept them to continue.");
});

test("a user can sign out instead of accepting, and a manager who impersonates is not asked", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { terms_version: "0" });
  expect(locationOf(await browser.get("/app"))).toContain("/terms");
  expect(locationOf(await browser.submit("/sign-out", {}))).toBe("/login");

  const { browser: manager } = await anAdmin(gatehouse, { terms_version: await inForce() });
  await impersonate(manager, user.id);
  expect((await manager.get("/app")).status).toBe(200);
  expect((await acceptanceOf(user.id))?.version).toBe("0");
});
