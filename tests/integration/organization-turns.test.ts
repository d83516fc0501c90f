import { afterAll, expect, test } from "vitest";
import {
  INVITATION_LIMITS,
  ORGANIZATION_LIMITS,
  USER_LIMITS,
} from "../../app/values/rate-limits.ts";
import { type Browser, locationOf, readText } from "../support/client.ts";
import { anOrganization } from "../support/organizations.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const { slugs } = ORGANIZATION_LIMITS;
const { changes } = USER_LIMITS;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

let names = 0;

async function anOwner() {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  return { user, browser, id: organization.id };
}

/** Gives an organization another slug. Returns the slug and how the screen answered. */
async function rename(browser: Browser, organizationId: string) {
  names += 1;
  const slug = `brand-${process.pid}-${names}`;
  return { slug, ...(await save(browser, organizationId, { name: "Brand", slug })) };
}

/**
 * Saves an organization on its settings' screen, which answers a member of it that they may not, or
 * leads to its own URL.
 */
async function save(browser: Browser, id: string, { name, slug }: { name: string; slug: string }) {
  const row = await gatehouse.d1
    .prepare("SELECT slug, version FROM organization WHERE id = ?")
    .bind(id)
    .first<{ slug: string; version: number }>();
  const answer = await browser.submit(`/app/organizations/${row?.slug}/settings`, {
    intent: "save",
    name,
    slug,
    version: `${row?.version}`,
  });
  const isSaved = locationOf(answer) === `/app/organizations/${slug}/settings`;
  return { status: answer.status, isSaved, text: readText(await answer.text()) };
}

/** Ends the windows of all counters. */
function waitOver() {
  return gatehouse.d1.exec("DELETE FROM rate_limit");
}

test("an organization gets five new slugs a day, and no one else uses them up", async () => {
  const { browser, id } = await anOwner();
  const { user: member, browser: ofMember } = await aSignedInUser(gatehouse);
  await gatehouse.d1
    .prepare(
      "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, ?, ?, 'member', 1)",
    )
    .bind(crypto.randomUUID(), id, member.id)
    .run();
  for (let count = 0; count < 9; count++) expect((await rename(ofMember, id)).status).toBe(403);

  for (let count = 0; count < slugs.max; count++) {
    expect(await rename(browser, id)).toMatchObject({ isSaved: true });
  }
  const refused = await rename(browser, id);
  expect(refused).toMatchObject({ status: 409, isSaved: false });
  expect(refused.text).toContain("Too many attempts");

  // The name alone still changes.
  const slug = await gatehouse.d1
    .prepare("SELECT slug FROM organization WHERE id = ?")
    .bind(id)
    .first<string>("slug");
  const renamed = await save(browser, id, { name: "Other", slug: slug ?? "" });
  expect(renamed).toMatchObject({ isSaved: true });
});

test("an organization keeps its last three slugs, and the earlier ones are free", async () => {
  const { browser, id } = await anOwner();
  const given: string[] = [];
  for (let count = 0; count < 5; count++) given.push((await rename(browser, id)).slug);
  const other = await anOwner();

  const free: boolean[] = [];
  for (const slug of given) {
    const taken = await save(other.browser, other.id, { name: "Other", slug });
    free.push(taken.isSaved);
  }
  expect(free).toEqual([true, false, false, false, false]);
});

test("a user makes 120 changes of organizations a minute", async () => {
  const { browser, user, id } = await anOwner();
  const other = await anOwner();
  await waitOver();
  await rename(browser, id);
  await gatehouse.d1
    .prepare("UPDATE rate_limit SET count = ? WHERE key = ?")
    .bind(changes.max - 1, `changes|${user.id}`)
    .run();

  expect(await rename(browser, id)).toMatchObject({ isSaved: true });
  const posted = await browser.submit("/app/organizations/new", { name: "One more" });
  expect(locationOf(posted)).toBe("/app/organizations/new");
  expect(await (await browser.follow(posted)).text()).toContain("Too many attempts");
  // Reading goes on, and so do other people's changes.
  expect((await browser.get("/app/organizations")).status).toBe(200);
  expect(await rename(other.browser, other.id)).toMatchObject({ isSaved: true });
  expect(changes.max).toBeGreaterThan(INVITATION_LIMITS.byNewUser.max);
});
