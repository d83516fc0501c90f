import { afterAll, expect, test } from "vitest";
import { newBrowser, readText } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  signIn,
} from "../../../../tests/support/people.ts";
import { isFull } from "../../../../tests/support/thoroughness.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anEndpoint, someEvents, startReceivers, verify } from "./receiver.ts";

const DAY_MS = 86_400_000;
const HALF_AN_HOUR_MS = 1_800_000;

const receivers = await startReceivers();
const gatehouse = await startGatehouse({ standIns: receivers.standIns });
afterAll(async () => {
  await receivers[Symbol.asyncDispose]();
  await gatehouse[Symbol.asyncDispose]();
});
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);

let names = 0;

/** An endpoint with a receiver of its own. */
async function aReceiver(actions: string[], overrides: Parameters<typeof anEndpoint>[3] = {}) {
  names += 1;
  const name = `receiver-${names}`;
  const endpoint = await anEndpoint(gatehouse, receivers.urlOf(name), actions, overrides);
  return { name, ...endpoint };
}

type DeliveryRow = {
  event_id: string;
  state: string;
  tries: number;
  status: number | null;
  error: string | null;
  answer: string | null;
};

async function deliveriesOf(endpointId: string): Promise<DeliveryRow[]> {
  const { results } = await d1
    .prepare("SELECT * FROM webhook_delivery WHERE endpoint_id = ? ORDER BY created_at, event_id")
    .bind(endpointId)
    .all<DeliveryRow>();
  return results;
}

async function endpointOf(id: string) {
  return d1
    .prepare("SELECT * FROM webhook_endpoint WHERE id = ?")
    .bind(id)
    .first<Record<string, unknown>>();
}

/** Lets the wait after a failed try be over, and wakes the senders. */
async function tryNow() {
  await run("UPDATE webhook_endpoint SET next_try_at = NULL");
  await gatehouse.runScheduled();
}

/** Deletes all endpoints, so that they do not take part in the next test. */
async function deleteAll() {
  await run("DELETE FROM webhook_endpoint");
}

test("a receiver verifies a delivery with the library of Standard Webhooks", async () => {
  const { name, secret } = await aReceiver(["user.created"]);
  const [id = ""] = await someEvents(gatehouse, 1);

  await gatehouse.runScheduled();
  await expect.poll(() => receivers.of(name)).toHaveLength(1);

  const [delivery] = receivers.of(name);
  if (!delivery) throw new Error("Nothing was delivered");
  expect(verify(secret, delivery)).toEqual({
    id,
    type: "user.created",
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: {
      actor: { id: "someone" },
      impersonator: null,
      changes: {},
      target: { type: "user", id: "someone" },
      ids: { user: "someone" },
    },
  });
  expect(delivery.headers).toMatchObject({ "webhook-id": id, "content-type": "application/json" });
  expect(() => verify("whsec_AAAA", delivery)).toThrow();
  await deleteAll();
});

test("an event has one row for each endpoint that wants it, and none where there is no endpoint", async () => {
  const [alone = ""] = await someEvents(gatehouse, 1);
  const wanting = await aReceiver(["user.created"]);
  const other = await aReceiver(["user.banned", "user.role_changed"]);
  const paused = await aReceiver(["user.created"], { state: "paused" });

  const [told = ""] = await someEvents(gatehouse, 1);
  const roles = { before: { role: "user" }, after: { role: "admin" } };
  const asked = { action: "user.updated", details: JSON.stringify(roles) };
  const [promoted = ""] = await someEvents(gatehouse, 1, asked);

  const rows = async (event: string) =>
    (
      await d1
        .prepare("SELECT endpoint_id FROM webhook_delivery WHERE event_id = ?")
        .bind(event)
        .all<{ endpoint_id: string }>()
    ).results.map(({ endpoint_id }) => endpoint_id);
  expect(await rows(alone)).toEqual([]);
  expect((await rows(told)).toSorted()).toEqual([wanting.row.id, paused.row.id].toSorted());
  expect(await rows(promoted)).toEqual([other.row.id]);
  await deleteAll();
});

test("a change writes one row more for each endpoint that wants its event, and none for others", async () => {
  const { browser } = await anAdmin(gatehouse);
  const ban = async () => {
    const { id } = await aUser(gatehouse);
    const answer = await browser.submit(`/manager/users/${id}`, { intent: "ban", duration: "7" });
    expect(answer.status).toBe(302);
    return Number(answer.headers.get("x-d1-rows-written"));
  };
  const without = await ban();
  await aReceiver(["user.created"]);
  expect(await ban()).toBe(without);
  await aReceiver(["user.banned"], { state: "paused" });
  expect(await ban()).toBe(without + 1);
  await aReceiver(["user.banned"], { state: "paused" });
  expect(await ban()).toBe(without + 2);
  await deleteAll();
});

const EVENTS = isFull ? 10_000 : 200;

test(
  `of ${EVENTS} events at a receiver that fails three times in ten none is lost or out of order`,
  async () => {
    const { name, row } = await aReceiver(["user.created"]);
    const other = await aReceiver(["user.created"]);
    receivers.answerBy(name, (number) => ([0, 3, 7].includes(number % 10) ? 503 : 204));
    const ids = await someEvents(gatehouse, EVENTS);

    await gatehouse.runScheduled();
    while (receivers.accepted(name).length < EVENTS) await tryNow();
    await expect.poll(() => receivers.accepted(other.name).length).toBe(EVENTS);

    expect(receivers.accepted(other.name)).toEqual(ids);
    // A delivery whose outcome could not be stored would be repeated with the same id; none was here.
    expect(receivers.accepted(name)).toEqual(ids);
    const tried = receivers.of(name).map(({ id }) => id);
    expect(tried.filter((id, at) => id !== tried[at - 1])).toEqual(ids);
    expect(receivers.of(name).filter(({ status }) => status === 503).length).toBeGreaterThan(
      EVENTS / 5,
    );
    await expect
      .poll(async () => (await deliveriesOf(row.id)).filter(({ state }) => state !== "delivered"))
      .toEqual([]);
    await deleteAll();
  },
  HALF_AN_HOUR_MS,
);

test("a receiver that never answers delays no other", async () => {
  const silent = await aReceiver(["user.created"]);
  const prompt = await aReceiver(["user.created"]);
  receivers.answerBy(silent.name, () => "hang");
  const ids = await someEvents(gatehouse, 60);

  await gatehouse.runScheduled();
  await expect.poll(() => receivers.accepted(prompt.name)).toEqual(ids);

  // All of the other's events arrived while this one's first is still tried.
  expect(new Set(receivers.of(silent.name).map(({ id }) => id))).toEqual(new Set([ids[0]]));
  await expect
    .poll(async () => (await deliveriesOf(silent.row.id))[0])
    .toMatchObject({ state: "waiting", error: "timeout", status: null });
  expect(await endpointOf(silent.row.id)).toMatchObject({ state: "active" });
  await deleteAll();
});

test("an organization gets 60 deliveries a minute, the rest waits in its order, and the site has no such limit", async () => {
  const { organization } = await anOrganization(gatehouse);
  const organization_id = organization.id;
  const busy = await aReceiver(["team.created"], { organization_id });
  const ofSite = await aReceiver(["team.created"]);
  const target = { target_type: "organization", target_id: organization_id };
  const ids = await someEvents(gatehouse, 90, { action: "team.created", ...target });

  await gatehouse.runScheduled();

  await expect.poll(() => receivers.accepted(ofSite.name)).toEqual(ids);
  await expect.poll(async () => (await endpointOf(busy.row.id))?.next_try_at).not.toBeNull();
  expect(receivers.accepted(busy.name)).toEqual(ids.slice(0, 60));
  expect(await endpointOf(busy.row.id)).toMatchObject({ state: "active", failing_since: null });
  // Its next minute.
  await run("UPDATE rate_limit SET window_start = 0 WHERE key LIKE 'webhook-deliveries|%'");
  await tryNow();
  await expect.poll(() => receivers.accepted(busy.name)).toEqual(ids);
  await deleteAll();
});

test("all webhooks of an organization together get 60 deliveries a minute", async () => {
  const { organization } = await anOrganization(gatehouse);
  const organization_id = organization.id;
  const own = [];
  for (let count = 0; count < 5; count += 1) {
    own.push(await aReceiver(["team.created"], { organization_id }));
  }
  const target = { target_type: "organization", target_id: organization_id };
  await someEvents(gatehouse, 40, { action: "team.created", ...target });

  await gatehouse.runScheduled();

  const waiting = () =>
    d1
      .prepare("SELECT count(*) FROM webhook_endpoint WHERE next_try_at IS NULL")
      .first<number>("count(*)");
  await expect.poll(waiting).toBe(0);
  expect(own.flatMap(({ name }) => receivers.of(name))).toHaveLength(60);
  await deleteAll();
});

test("who has many slow receivers does not delay the webhook of another", async () => {
  const slow = [];
  for (let count = 0; count < 3; count += 1) {
    const { organization } = await anOrganization(gatehouse);
    for (let each = 0; each < 10; each += 1) {
      const one = await aReceiver(["team.created"], { organization_id: organization.id });
      receivers.answerBy(one.name, () => "hang");
      slow.push({ ...one, organization });
    }
    const target = { target_type: "organization", target_id: organization.id };
    // Oldest first they would always be the ones to be woken.
    const created_at = Date.now() - 60_000;
    await someEvents(gatehouse, 2, { action: "team.created", ...target, created_at });
  }
  const { organization } = await anOrganization(gatehouse);
  const honest = await aReceiver(["team.created"], { organization_id: organization.id });
  const ofSite = await aReceiver(["user.created"]);
  const target = { target_type: "organization", target_id: organization.id };
  const [event = ""] = await someEvents(gatehouse, 1, { action: "team.created", ...target });
  const [user = ""] = await someEvents(gatehouse, 1);

  await gatehouse.runScheduled();

  await expect.poll(() => receivers.accepted(honest.name)).toEqual([event]);
  await expect.poll(() => receivers.accepted(ofSite.name)).toEqual([user]);
  await deleteAll();
});

test("a request wakes senders only after it has written an event, and none that is awake", async () => {
  await using house = await startGatehouse({ standIns: receivers.standIns });
  const { row } = await anEndpoint(house, receivers.urlOf("woken"), ["user.created"]);
  const wokenAt = () =>
    house.d1
      .prepare("SELECT woken_at FROM webhook_endpoint WHERE id = ?")
      .bind(row.id)
      .first<number>("woken_at");
  receivers.answerBy("woken", () => "hang");
  const browser = newBrowser(house);
  // Now the isolate knows of the webhook.
  await browser.get("/login");
  const { email } = await aUser(house);
  const [first = ""] = await someEvents(house, 1, { created_at: Date.now() - 1_000 });

  const foreign = await browser.submit("/login", {}, { headers: { origin: "https://else.org" } });
  expect(foreign.status).toBe(403);
  expect((await askForCode(browser, email)).status).toBe(302);
  const code = await house.mailbox.codeFor(email);
  const from = Date.now();
  await enterCode(browser, email, code);

  await expect.poll(() => receivers.of("woken").map(({ id }) => id)).toEqual([first]);
  const awakeSince = (await wokenAt()) ?? 0;
  expect(awakeSince).toBeGreaterThanOrEqual(from);
  await signIn(house, newBrowser(house), (await aUser(house)).email);
  await house.runScheduled();
  // The receiver is still silent, so its sender is awake, or it waits for its next try.
  expect([null, awakeSince]).toContain(await wokenAt());
});

test.each([
  ["a redirect", { status: 307, headers: { location: "https://hooks.example.com/elsewhere" } }],
  ["an error", { status: 500, body: "no" }],
  ["a long answer", { status: 400, body: "x".repeat(300_000) }],
])("%s is no delivery, and is not followed", async (_name, answer) => {
  const { name, row } = await aReceiver(["user.created"]);
  receivers.answerBy(name, (number) => (number === 1 ? answer : 204));
  const [id] = await someEvents(gatehouse, 1);

  await gatehouse.runScheduled();
  await expect
    .poll(async () => (await deliveriesOf(row.id))[0])
    .toMatchObject({ state: "waiting", tries: 1, status: answer.status });
  const [first] = await deliveriesOf(row.id);
  expect(first?.answer?.length).toBeLessThanOrEqual(1_000);
  expect(receivers.of("elsewhere")).toEqual([]);

  await tryNow();
  await expect
    .poll(async () => (await deliveriesOf(row.id))[0])
    .toMatchObject({ state: "delivered", tries: 2, status: 204 });
  expect(receivers.of(name).map((one) => one.id)).toEqual([id, id]);
  await deleteAll();
});

test("a URL that the rule no longer allows is asked nothing", async () => {
  const { row } = await anEndpoint(gatehouse, "https://10.0.0.1/", ["user.created"]);
  await someEvents(gatehouse, 1);

  await gatehouse.runScheduled();
  await expect
    .poll(async () => (await deliveriesOf(row.id))[0])
    .toMatchObject({ state: "waiting", error: "refused" });
  await deleteAll();
});

test("a host of the site's own domain is asked nothing, also when the webhook was made before, unless a setting names it", async () => {
  const vars = { BASE_URL: "https://app.example.com" };
  const started = { vars, standIns: receivers.standIns };
  await using closed = await startGatehouse(started);
  await using open = await startGatehouse({
    ...started,
    vars: { ...vars, WEBHOOK_HOSTS: "hooks.example.com" },
  });
  for (const site of [closed, open]) {
    await anEndpoint(site, receivers.urlOf("own-domain"), ["user.created"]);
    await someEvents(site, 1);
    await site.runScheduled();
  }

  await expect.poll(() => receivers.of("own-domain")).toHaveLength(1);
  const errorIn = (site: Pick<typeof gatehouse, "d1">) =>
    site.d1.prepare("SELECT error FROM webhook_delivery WHERE tries > 0").first("error");
  await expect.poll(() => errorIn(closed)).toBe("refused");
  await expect.poll(() => receivers.accepted("own-domain")).toHaveLength(1);
});

test("an event that is recorded after a later one was delivered is delivered too", async () => {
  const { name, row } = await aReceiver(["user.created"]);
  const [later] = await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  await expect.poll(async () => (await deliveriesOf(row.id))[0]?.state).toBe("delivered");

  const [earlier] = await someEvents(gatehouse, 1, { created_at: Date.now() - 60_000 });
  await gatehouse.runScheduled();

  await expect.poll(() => receivers.accepted(name)).toEqual([later, earlier]);
  await deleteAll();
});

test("after a day without success an endpoint is paused: its maker gets a mail, and the dashboard says so", async () => {
  const { user: admin, browser } = await anAdmin(gatehouse);
  const { name, row } = await aReceiver(["user.created"], { made_by: admin.id });
  receivers.answerBy(name, () => 500);
  const ids = await someEvents(gatehouse, 2);
  await gatehouse.runScheduled();
  await expect.poll(() => endpointOf(row.id)).toMatchObject({ tries: 1 });
  const dashboard = async () => readText(await (await browser.get("/manager/dashboard")).text());
  const trouble = "A webhook is paused because its receiver accepted nothing for a day";
  expect(await dashboard()).not.toContain(trouble);

  await run("UPDATE webhook_endpoint SET failing_since = failing_since - ?", DAY_MS);
  await tryNow();
  await expect.poll(() => endpointOf(row.id)).toMatchObject({ state: "failed", next_try_at: null });

  const mail = await gatehouse.mailbox.mailFor(admin.email);
  expect(mail.subject).toContain("hooks.example.com");
  expect(mail.link).toBe(`${gatehouse.origin}/manager/settings/webhooks/${row.id}`);
  expect(await dashboard()).toContain(trouble);
  const paused = await d1
    .prepare("SELECT actor_id, details FROM audit_event WHERE action = 'webhook.paused'")
    .first();
  expect(paused).toEqual({ actor_id: null, details: '{"receiver":"hooks.example.com"}' });

  // Resumed, it goes on with the event that failed.
  receivers.answerBy(name, () => 204);
  const path = `/manager/settings/webhooks/${row.id}`;
  expect((await browser.submit(path, { intent: "resume-webhook" })).status).toBe(302);
  await expect.poll(() => receivers.accepted(name)).toEqual(ids);
  expect(await dashboard()).not.toContain(trouble);
  await deleteAll();
});

test("the owners of an organization get the mail about its endpoint", async () => {
  const owner = await aUser(gatehouse);
  const { organization } = await anOrganization(
    gatehouse,
    {},
    { owner, admins: [await aUser(gatehouse)] },
  );
  const { name, row } = await aReceiver(["organization.updated"], {
    organization_id: organization.id,
    failing_since: Date.now() - DAY_MS,
  });
  receivers.answerBy(name, () => 500);
  const target = { target_type: "organization", target_id: organization.id };
  await someEvents(gatehouse, 1, { action: "organization.updated", ...target });

  await gatehouse.runScheduled();

  const mail = await gatehouse.mailbox.mailFor(owner.email);
  expect(mail.link).toBe(
    `${gatehouse.origin}/app/organizations/${organization.slug}/webhooks/${row.id}`,
  );
  expect(mail.text).toContain(organization.name);
  await expect.poll(() => endpointOf(row.id)).toMatchObject({ state: "failed" });
  await deleteAll();
});

test("during a rotation events have two signatures, afterwards one", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { name, row, secret: old } = await aReceiver(["user.created"]);
  const path = `/manager/settings/webhooks/${row.id}`;
  const page = await (await browser.submit(path, { intent: "rotate-webhook" })).text();
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(page)?.[0] ?? "";

  await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  await expect.poll(() => receivers.of(name)).toHaveLength(1);
  const [both] = receivers.of(name);
  if (!both) throw new Error("Nothing was delivered");
  expect(verify(secret, both)).toEqual(verify(old, both));

  await run("UPDATE webhook_endpoint SET previous_secret_until = 1");
  await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  await expect.poll(() => receivers.of(name)).toHaveLength(2);
  const [, one] = receivers.of(name);
  if (!one) throw new Error("Nothing was delivered");
  expect(verify(secret, one)).toBeTruthy();
  expect(() => verify(old, one)).toThrow();
  await deleteAll();
});

test("an organization's endpoint gets what happens in it and to its repositories, and nothing else", async () => {
  const own = await anOrganization(gatehouse);
  const foreign = await anOrganization(gatehouse);
  const organization_id = own.organization.id;
  const wanted = ["member.added", "repository.updated", "user.created", "team.created"];
  const { row } = await aReceiver(wanted, { organization_id, state: "paused" });
  await run(
    "INSERT INTO repository (id, name, name_key, link, created_at, updated_at) VALUES ('own', 'own', 'own', 'x', 1, 1), ('other', 'other', 'other', 'x', 1, 1)",
  );
  await run("INSERT INTO organization_repository VALUES (?, 'own', NULL, 1)", organization_id);
  const inOrganization = (id: string) => ({ target_type: "organization", target_id: id });
  const aboutRepository = (id: string) => ({
    action: "repository.updated",
    target_type: "repository",
    target_id: id,
  });

  const told = [
    ...(await someEvents(gatehouse, 1, {
      action: "member.added",
      ...inOrganization(organization_id),
    })),
    ...(await someEvents(gatehouse, 1, aboutRepository("own"))),
  ];
  await someEvents(gatehouse, 1, {
    action: "member.added",
    ...inOrganization(foreign.organization.id),
  });
  await someEvents(gatehouse, 1, aboutRepository("other"));
  await someEvents(gatehouse, 1);
  await someEvents(gatehouse, 1, { action: "user.created", target_id: own.ownerId });

  const ids = (await deliveriesOf(row.id)).map(({ event_id }) => event_id);
  expect(ids.toSorted()).toEqual(told.toSorted());
  await deleteAll();
});

test.each(["disabled_at", "deletion_due_at"])(
  "an organization with %s delivers nothing new, and goes on afterwards",
  async (column) => {
    const { organization } = await anOrganization(gatehouse);
    const { name } = await aReceiver(["team.created"], { organization_id: organization.id });
    const target = { target_type: "organization", target_id: organization.id };
    const event = { action: "team.created", ...target };
    const [before] = await someEvents(gatehouse, 1, event);
    const set = (value: number | null) =>
      d1
        .prepare(`UPDATE organization SET ${column} = ? WHERE id = ?`)
        .bind(value, organization.id)
        .run();
    await set(Date.now() + DAY_MS);
    await someEvents(gatehouse, 1, event);
    const { name: sentinel } = await aReceiver(["user.created"]);
    await someEvents(gatehouse, 1);
    await gatehouse.runScheduled();
    await expect.poll(() => receivers.of(sentinel)).toHaveLength(1);
    expect(receivers.of(name)).toEqual([]);

    await set(null);
    await gatehouse.runScheduled();
    await expect.poll(() => receivers.accepted(name)).toEqual([before]);
    await deleteAll();
  },
);

test("with its consent an endpoint gets IP addresses, and an erased account is told no details of", async () => {
  const { name } = await aReceiver(["user.created"], { with_ip_address: 1 });
  await someEvents(gatehouse, 1, { details: '{"name":"Ada"}' });
  const [erased = ""] = await someEvents(gatehouse, 1, { details: '{"name":"Eve"}' });
  await run("UPDATE audit_event SET details = NULL, ip_address = NULL WHERE id = ?", erased);

  await gatehouse.runScheduled();
  await expect.poll(() => receivers.of(name)).toHaveLength(2);

  const [first, second] = receivers.of(name).map(({ body }) => JSON.parse(body).data);
  expect(first).toMatchObject({ ipAddress: "192.0.2.7", changes: { name: { after: "Ada" } } });
  expect(second).toMatchObject({ ipAddress: null, changes: {} });
  await deleteAll();
});

test("the cron deletes old deliveries, those of deleted endpoints, and counts what was never delivered", async () => {
  const { row } = await aReceiver(["user.created"], { state: "paused" });
  const old = Date.now() - 31 * DAY_MS;
  await someEvents(gatehouse, 2, { created_at: old });
  const [kept] = await someEvents(gatehouse, 1);
  const gone = await aReceiver(["user.created"], { state: "paused" });
  await someEvents(gatehouse, 1);
  await run("DELETE FROM webhook_endpoint WHERE id = ?", gone.row.id);

  await gatehouse.runHourly();

  expect((await deliveriesOf(row.id)).map(({ event_id }) => event_id)).toContain(kept);
  expect(await deliveriesOf(row.id)).toHaveLength(2);
  expect(await deliveriesOf(gone.row.id)).toEqual([]);
  expect(await endpointOf(row.id)).toMatchObject({ dropped: 2 });
  const { browser } = await anAdmin(gatehouse);
  const page = await browser.get(`/manager/settings/webhooks/${row.id}`);
  expect(readText(await page.text())).toContain(
    "2 events were deleted after 30 days without being delivered.",
  );
  await deleteAll();
});

test("a member who is no owner cannot read or change the webhooks of an organization", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { admins: [user] });
  const { row } = await aReceiver(["team.created"], { organization_id: organization.id });
  const list = `/app/organizations/${organization.slug}/webhooks`;

  for (const path of [list, `${list}/${row.id}`]) {
    expect((await browser.get(path)).status).toBe(403);
  }
  const fields = { intent: "delete-webhook" };
  expect((await browser.submit(`${list}/${row.id}`, fields)).status).toBe(403);
  expect(await endpointOf(row.id)).not.toBeNull();
  await deleteAll();
});

test("the secrets of webhooks survive a rotation of the site's secret", async () => {
  const { row, secret } = await aReceiver(["user.created"], { state: "paused" });
  const stored = await endpointOf(row.id);
  await using later = await startGatehouse({
    vars: { BETTER_AUTH_SECRET_PREVIOUS: gatehouse.secret },
    standIns: receivers.standIns,
  });
  const moved = await anEndpoint(later, receivers.urlOf("moved"), ["user.created"]);
  await later.d1
    .prepare("UPDATE webhook_endpoint SET secret = ? WHERE id = ?")
    .bind(String(stored?.secret), moved.row.id)
    .run();

  await later.runHourly();
  const resealed = await later.d1
    .prepare("SELECT secret FROM webhook_endpoint")
    .first<{ secret: string }>();
  expect(resealed?.secret).not.toBe(stored?.secret);
  await someEvents(later, 1);
  await later.runScheduled();

  await expect.poll(() => receivers.of("moved")).toHaveLength(1);
  const [delivery] = receivers.of("moved");
  expect(delivery && verify(secret, delivery)).toBeTruthy();
  await deleteAll();
});
