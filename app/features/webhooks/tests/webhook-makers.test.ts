import { afterAll, expect, test } from "vitest";
import { addPasskey, newAuthenticator } from "../../../../tests/support/authenticator.ts";
import { locationOf } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  aUser,
  aUserSignedInByCode,
} from "../../../../tests/support/people.ts";
import { aProgramKey } from "../../../../tests/support/program-keys.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anEndpoint, someEvents, startReceivers } from "./receiver.ts";

// What becomes of webhooks when the person who made them may no longer make them, and who learns of it.

const DAY_MS = 86_400_000;

const receivers = await startReceivers();
const gatehouse = await startGatehouse({ standIns: receivers.standIns });
afterAll(async () => {
  await receivers[Symbol.asyncDispose]();
  await gatehouse[Symbol.asyncDispose]();
});
const { d1, mailbox } = gatehouse;
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const SITE = "/manager/settings/webhooks";
const NEW = { intent: "create-webhook", groups: "all" };

type EndpointRow = { state: string; made_by: string | null; maker_left_at: number | null };

/** Removes the marks around names that keep their direction. */
function withoutIsolation(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, "");
}

function endpointOf(id: string) {
  return d1.prepare("SELECT * FROM webhook_endpoint WHERE id = ?").bind(id).first<EndpointRow>();
}

/** Two owners of an organization; the first one has made a webhook of it, and a key where there are keys. */
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
  const organization_id = organization.id;
  const name = `left-${organization.slug}`;
  const { row } = await anEndpoint(gatehouse, receivers.urlOf(name), ["team.created"], {
    organization_id,
    made_by: maker.id,
  });
  await aProgramKey(gatehouse, maker, {
    organizationId: organization.id,
    permissions: { repository: ["read"] },
  });
  // Of its making the other owner has been told.
  await gatehouse.runScheduled();
  await mailbox.mailFor(other.user.email);
  const list = `/app/organizations/${organization.slug}/webhooks`;
  const event = {
    action: "team.created",
    target_type: "organization",
    target_id: organization.id,
  };
  return { maker, other, organization, membership, row, name, list, event };
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
  "the start of an account deletion": ({ maker }) =>
    run("UPDATE user SET deletion_due_at = ? WHERE id = ?", Date.now() + DAY_MS, maker.id),
  "an erasure": ({ maker }) => run("DELETE FROM user WHERE id = ?", maker.id),
};

test.each(Object.keys(DEPARTURES))(
  "after %s of its maker a webhook is paused and told to the other owner, who takes it over",
  async (name) => {
    const left = await twoOwners();
    const { maker, other, row, event, list } = left;

    await DEPARTURES[name]?.(left);
    await someEvents(gatehouse, 1, event);
    await gatehouse.runScheduled();

    expect(await endpointOf(row.id)).toMatchObject({ state: "paused" });
    const rows = "SELECT count(*) FROM webhook_delivery WHERE endpoint_id = ?";
    expect(await d1.prepare(rows).bind(row.id).first("count(*)")).toBe(0);
    const mail = await mailbox.mailFor(other.user.email);
    expect(withoutIsolation(mail.subject)).toBe(
      say("mail:programsChanged.subject", { organization: left.organization.name }),
    );
    const gone = name === "an erasure";
    const by = gone ? say("mail:programsChanged.gone") : maker.name;
    expect(withoutIsolation(mail.text)).toContain(
      say("mail:programsChanged.webhook-paused", { name: "hooks.example.com", by }),
    );
    expect(mail.link).toBe(gatehouse.origin + list);
    const path = `${list}/${row.id}`;
    const page = readPage(await (await other.browser.get(path)).text()).text();
    expect(withoutIsolation(page)).toContain(
      gone ? say("webhooks:makerGone") : say("webhooks:makerLeft", { name: maker.name }),
    );
    // Its secret signs nothing meanwhile.
    const sample = await other.browser.submit(path, { intent: "sample-webhook" });
    expect(sample.status).toBe(409);
    expect(receivers.of(left.name)).toEqual([]);

    expect((await other.browser.submit(path, { intent: "resume-webhook" })).status).toBe(302);
    expect(await endpointOf(row.id)).toMatchObject({
      state: "active",
      made_by: other.user.id,
      maker_left_at: null,
    });
    const [later] = await someEvents(gatehouse, 1, event);
    await gatehouse.runScheduled();
    await expect.poll(() => receivers.accepted(left.name)).toEqual([later]);
    await run("DELETE FROM webhook_endpoint");
  },
);

test("a demoted admin's webhook of the site is paused; the other admins get a mail and see its host on the dashboard", async () => {
  await using house = await startGatehouse({ standIns: receivers.standIns });
  const { user: rogue } = await anAdmin(house);
  const { user, browser } = await anAdmin(house);
  const auditor = await aUser(house, { role: "auditor" });
  const { row } = await anEndpoint(house, receivers.urlOf("rogue"), ["user.created"], {
    made_by: rogue.id,
  });
  await house.runScheduled();
  await house.mailbox.mailFor(user.email);

  await browser.submit("/manager/users", { intent: "set-role", id: rogue.id, role: "support" });
  await someEvents(house, 1);
  await house.runScheduled();

  const mail = await house.mailbox.mailFor(user.email);
  expect(mail.link).toBe(house.origin + SITE);
  const dashboard = readPage(await (await browser.get("/manager/dashboard")).text()).text();
  expect(withoutIsolation(dashboard)).toContain(
    say("manager:trouble.webhook-maker", { receiver: "hooks.example.com" }),
  );
  expect(receivers.of("rogue")).toEqual([]);
  const paused = await house.d1
    .prepare("SELECT actor_id, details FROM audit_event WHERE action = 'webhook.paused'")
    .first();
  expect(paused).toEqual({ actor_id: null, details: '{"receiver":"hooks.example.com"}' });
  const told = await house.d1
    .prepare("SELECT DISTINCT recipient FROM mail_outbox WHERE kind = 'programs-changed'")
    .all<{ recipient: string }>();
  expect(told.results).toEqual([{ recipient: user.email }]);
  expect(told.results).not.toContainEqual({ recipient: auditor.email });
  await browser.submit(`${SITE}/${row.id}`, { intent: "resume-webhook" });
  const later = readPage(await (await browser.get("/manager/dashboard")).text()).text();
  expect(later).not.toContain("hooks.example.com");
});

test("other owners learn of a new webhook and of a new URL at once, and who did it does not", async () => {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Leila Maker" });
  const other = await aUser(gatehouse);
  const { organization, members } = await anOrganization(
    gatehouse,
    {},
    { owner: user, admins: [other] },
  );
  const second = members.find(({ user_id }) => user_id === other.id)?.id ?? "";
  await run("UPDATE member SET role = 'owner' WHERE id = ?", second);
  const list = `/app/organizations/${organization.slug}/webhooks`;
  const textOf = async () => withoutIsolation((await mailbox.mailFor(other.email)).text);

  await browser.submit(list, { ...NEW, url: receivers.urlOf("first") });
  const named = { name: "hooks.example.com", by: "Leila Maker" };
  expect(await textOf()).toContain(say("mail:programsChanged.webhook-made", named));
  const id = await d1
    .prepare("SELECT id FROM webhook_endpoint WHERE organization_id = ?")
    .bind(organization.id)
    .first<string>("id");
  const update = { ...NEW, intent: "update-webhook", version: "1" };
  // Without a new URL there is nothing to tell.
  await browser.submit(`${list}/${id}`, { ...update, url: receivers.urlOf("first") });
  const moved = { ...update, version: "2", url: receivers.urlOf("second") };
  await browser.submit(`${list}/${id}`, moved);
  expect(await textOf()).toContain(say("mail:programsChanged.webhook-moved", named));

  // The third mail of the day tells the next one; then they wait for a day.
  for (const part of ["third", "fourth", "fifth"]) {
    await browser.submit(list, { ...NEW, url: receivers.urlOf(part) });
  }
  expect(await textOf()).toContain(say("mail:programsChanged.webhook-made", named));
  const mails = () =>
    d1
      .prepare("SELECT count(*) FROM mail_outbox WHERE kind = 'programs-changed' AND recipient = ?")
      .bind(other.email)
      .first("count(*)");
  await gatehouse.runScheduled();
  expect(await mails()).toBe(3);
  await gatehouse.runScheduled(new Date(Date.now() + DAY_MS + 60_000));
  expect(await mails()).toBe(4);
  const own = "SELECT count(*) FROM mail_outbox WHERE kind = 'programs-changed' AND recipient = ?";
  expect(await d1.prepare(own).bind(user.email).first("count(*)")).toBe(0);
  await run("DELETE FROM webhook_endpoint");
});

test("who has a passkey makes, moves and resumes a webhook only in a session that it has proven", async () => {
  const { user, browser } = await aUserSignedInByCode(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const list = `/app/organizations/${organization.slug}/webhooks`;
  const { row } = await anEndpoint(gatehouse, receivers.urlOf("guarded"), ["team.created"], {
    organization_id: organization.id,
    state: "paused",
  });
  const key = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(browser, key)).status).toBe(200);
  // The session was proven by the code alone.
  await run(
    "UPDATE session SET passkey_proved_by = NULL, passkey_proved_at = NULL WHERE user_id = ?",
    user.id,
  );

  const forms: [string, Record<string, string>][] = [
    [list, { ...NEW, url: receivers.urlOf("tap") }],
    [
      `${list}/${row.id}`,
      { ...NEW, intent: "update-webhook", version: "1", url: receivers.urlOf("x") },
    ],
    [`${list}/${row.id}`, { intent: "resume-webhook" }],
    [`${list}/${row.id}`, { intent: "rotate-webhook" }],
  ];
  for (const [path, fields] of forms) {
    expect(locationOf(await browser.submit(path, fields))).toMatch(/\/account\/confirm\?.*passkey/);
  }
  expect(await endpointOf(row.id)).toMatchObject({ state: "paused", made_by: null });
  await run("DELETE FROM webhook_endpoint");
});

test("an owner has one webhook for a URL", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const list = `/app/organizations/${organization.slug}/webhooks`;
  const fields = { ...NEW, url: receivers.urlOf("same") };

  const answers = await Promise.all([1, 2, 3].map(() => browser.submit(list, fields)));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const again = await browser.submit(`${list}?state=new`, fields);
  expect(readPage(await again.text()).field("url")).toMatchObject({
    value: fields.url,
    error: say("webhooks:urlTaken"),
  });
  await run("DELETE FROM webhook_endpoint");
});

test("the fifty-first new webhook of a day is refused", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const list = `/app/organizations/${organization.slug}/webhooks`;
  await browser.submit(list, { ...NEW, url: receivers.urlOf("one") });
  await run("UPDATE rate_limit SET count = 50 WHERE key = ?", `webhook-made|${user.id}`);

  const answer = await browser.submit(list, { ...NEW, url: receivers.urlOf("two") });

  expect(answer.status).toBe(429);
  await run("DELETE FROM webhook_endpoint");
});
