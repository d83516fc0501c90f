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

/** Gives an organization another slug. Returns the slug and how the call was answered. */
async function rename(browser: Browser, organizationId: string) {
  names += 1;
  const slug = `brand-${process.pid}-${names}`;
  const answer = await browser.api("/api/auth/organization/update", {
    organizationId,
    data: { name: "Brand", slug },
  });
  const { code }: { code?: string } = JSON.parse(await answer.text());
  return { slug, status: answer.status, code };
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
    expect(await rename(browser, id)).toMatchObject({ status: 200 });
  }
  const refused = await rename(browser, id);
  expect(refused).toMatchObject({ status: 429, code: "TOO_MANY_REQUESTS" });

  // The name alone still changes, and the screen says which field is refused.
  const { slug, version } = (await gatehouse.d1
    .prepare("SELECT slug, version FROM organization WHERE id = ?")
    .bind(id)
    .first<{ slug: string; version: number }>()) ?? { slug: "", version: 0 };
  const screen = `/app/organizations/${slug}/settings`;
  const save = (other: string, at: number) =>
    browser.submit(screen, { intent: "save", name: "Other", slug: other, version: String(at) });
  const page = await save("one-more-brand", version);
  expect(page.status).toBe(409);
  expect(readText(await page.text())).toContain("Too many attempts");
  expect(locationOf(await save(slug, version))).toBe(screen);
});

test("an organization keeps its last three slugs, and the earlier ones are free", async () => {
  const { browser, id } = await anOwner();
  const given: string[] = [];
  for (let count = 0; count < 5; count++) given.push((await rename(browser, id)).slug);
  const other = await aSignedInUser(gatehouse);

  const isFree = async (slug: string) => {
    const answer = await other.browser.api("/api/auth/organization/check-slug", { slug });
    return answer.status === 200;
  };

  const free: boolean[] = [];
  for (const slug of given) free.push(await isFree(slug));
  expect(free).toEqual([true, false, false, false, false]);
});

test("a user makes 120 changes of organizations a minute, on screens and by calls together", async () => {
  const { browser, user, id } = await anOwner();
  const other = await anOwner();
  await waitOver();
  await rename(browser, id);
  await gatehouse.d1
    .prepare("UPDATE rate_limit SET count = ? WHERE key = ?")
    .bind(changes.max - 1, `changes|${user.id}`)
    .run();

  const { status } = await browser.api("/api/auth/organization/set-active", { organizationId: id });
  expect(status).toBe(200);
  const called = await browser.api("/api/auth/organization/set-active", { organizationId: id });
  expect([called.status, Number(called.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const posted = await browser.submit("/app/organizations/new", { name: "One more" });
  expect(locationOf(posted)).toBe("/app/organizations/new");
  expect(await (await browser.follow(posted)).text()).toContain("Too many attempts");
  // Reading goes on, and so do other people's changes.
  expect((await browser.get(`/api/auth/organization/list`)).status).toBe(200);
  expect((await rename(other.browser, other.id)).status).toBe(200);
  expect(changes.max).toBeGreaterThan(INVITATION_LIMITS.byNewUser.max);
});
