import { afterAll, expect, test } from "vitest";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aKey, ORGANIZATION_SCOPES } from "./api-keys.ts";

// What becomes of an organization's key when the person who made it may no longer make one, and who learns of it.

const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1, mailbox } = gatehouse;
const run = statementsOn(gatehouse);

/** Two owners of an organization; the first one has made a key of it. */
async function twoOwners() {
  const maker = await aUser(gatehouse, { name: "Leila Maker" });
  const other = await aSignedInUser(gatehouse);
  const { organization, members } = await anOrganization(
    gatehouse,
    {},
    { owner: other.user, admins: [maker] },
  );
  const membership = members.find(({ user_id }) => user_id === maker.id)?.id ?? "";
  await run("UPDATE member SET role = 'owner' WHERE id = ?", membership);
  const { row } = await aKey(gatehouse, maker, {
    organization_id: organization.id,
    name: "Deploy script",
    permissions: ORGANIZATION_SCOPES,
  });
  return { maker, other, organization, membership, row };
}

type Left = Awaited<ReturnType<typeof twoOwners>>;

const DEPARTURES: Record<string, (left: Left) => Promise<unknown>> = {
  "a ban": async ({ maker }) => {
    const { browser } = await anAdmin(gatehouse);
    await browser.submit(`/manager/users/${maker.id}`, { intent: "ban", duration: "7" });
  },
  "a removal from the organization": ({ other, organization, membership }) =>
    other.browser.submit(`/app/organizations/${organization.slug}/members`, {
      intent: "remove",
      member: membership,
    }),
  "a demotion in the organization": ({ membership }) =>
    run("UPDATE member SET role = 'admin' WHERE id = ?", membership),
};

test.each(Object.keys(DEPARTURES))(
  "after %s the organization's key has ended for good, and the other owner is told",
  async (name) => {
    const left = await twoOwners();

    await DEPARTURES[name]?.(left);
    await gatehouse.runScheduled();

    const mail = await mailbox.mailFor(left.other.user.email);
    expect(mail.text).toContain("Deploy script");
    expect(mail.link).toBe(`${gatehouse.origin}/app/organizations/${left.organization.slug}/keys`);
    const keys = "SELECT count(*) FROM api_key WHERE organization_id = ?";
    expect(await d1.prepare(keys).bind(left.organization.id).first("count(*)")).toBe(0);
  },
);

test("a key that another owner ends, or that has ended, is no news", async () => {
  const { maker, other, organization, row } = await twoOwners();
  await aKey(gatehouse, maker, {
    organization_id: organization.id,
    expires_at: Date.now() - 40 * DAY_MS,
  });

  const keys = `/app/organizations/${organization.slug}/keys`;
  await other.browser.submit(keys, { intent: "revoke-key", key: row.id });
  // The revoked key goes with its log.
  await d1
    .prepare("UPDATE api_key SET revoked_at = ? WHERE id = ?")
    .bind(Date.now() - 8 * DAY_MS, row.id)
    .run();
  await gatehouse.runHourly();

  const left = "SELECT count(*) FROM api_key WHERE organization_id = ?";
  expect(await d1.prepare(left).bind(organization.id).first("count(*)")).toBe(0);
  const news = "SELECT count(*) FROM program_news WHERE kind = 'key-ended' AND organization_id = ?";
  expect(await d1.prepare(news).bind(organization.id).first("count(*)")).toBe(0);
});
