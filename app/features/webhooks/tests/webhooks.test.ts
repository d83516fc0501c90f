import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser, toastOf } from "../../../../tests/support/client.ts";
import { clientTest } from "../../../../tests/support/endpoints.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser, newEmail, signIn } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { EVENT_TYPES, eventTypesFor } from "../events.ts";
import { MAX_WEBHOOKS } from "../limits.ts";
import { anEndpoint, someEvents, startReceivers, verify } from "./receiver.ts";

const receivers = await startReceivers();
const gatehouse = await startGatehouse({ standIns: receivers.standIns });
afterAll(async () => {
  await receivers[Symbol.asyncDispose]();
  await gatehouse[Symbol.asyncDispose]();
});
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const LIST = "/manager/settings/webhooks";
const NEW = { intent: "create-webhook", url: receivers.urlOf("made"), events: "user.created" };
const { user: admin, browser: manager } = await anAdmin(gatehouse);

async function pageOf(response: Response | Promise<Response>) {
  return readPage(await (await response).text());
}

type EndpointRow = Record<string, string | number | null> & { id: string; secret: string };

async function endpoints(): Promise<EndpointRow[]> {
  const { results } = await d1
    .prepare("SELECT * FROM webhook_endpoint ORDER BY created_at, id")
    .all<EndpointRow>();
  return results;
}

async function actionsOf(id: string) {
  const { results } = await d1
    .prepare("SELECT action FROM webhook_subscription WHERE endpoint_id = ? ORDER BY action")
    .bind(id)
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

async function auditActions(): Promise<string[]> {
  const { results } = await d1
    .prepare("SELECT action FROM audit_event WHERE action LIKE 'webhook.%' ORDER BY created_at")
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

const deleteAll = () => run("DELETE FROM webhook_endpoint");

test("a manager makes a webhook, sees its secret once, and only an encrypted one is stored", async () => {
  const empty = await pageOf(manager.get(LIST));
  expect(empty.text()).toContain(say("webhooks:empty"));
  expect(empty.linkTo(say("webhooks:new"))).toBe(`${LIST}?state=new`);

  const made = await pageOf(manager.submit(`${LIST}?state=new`, NEW));
  const secret = made.field("secret")?.value ?? "";
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  const [row] = await endpoints();
  expect(row).toMatchObject({
    url: NEW.url,
    state: "active",
    made_by: admin.id,
    with_ip_address: 0,
    organization_id: null,
  });
  expect(row?.secret).not.toContain(secret.slice(6));
  expect(await actionsOf(row?.id ?? "")).toEqual(["user.created"]);

  for (const path of [LIST, `${LIST}/${row?.id}`]) {
    const page = await (await manager.get(path)).text();
    expect(page).toContain("hooks.example.com");
    expect(page).not.toContain(secret);
  }
  // Without the cron: a request that records an event wakes the sender.
  const email = newEmail();
  await signIn(gatehouse, newBrowser(gatehouse), email);
  await expect.poll(() => receivers.of("made")).toHaveLength(1);
  const [delivery] = receivers.of("made");
  expect(delivery && verify(secret, delivery)).toMatchObject({ type: "user.created" });
  await deleteAll();
});

clientTest(
  "the first event after a webhook was made wakes its sender, also by a call that reads no settings",
  async () => {
    const { browser, user } = await aSignedInUser(gatehouse);
    const { organization } = await anOrganization(gatehouse, {}, { owner: user });
    const made = { ...NEW, url: receivers.urlOf("at-once"), events: "organization.updated" };
    await browser.submit(`/app/organizations/${organization.slug}/webhooks`, made);

    const renamed = { organizationId: organization.id, data: { name: "Another name" } };
    expect((await browser.api("/api/auth/organization/update", renamed)).status).toBe(200);

    await expect.poll(() => receivers.of("at-once")).toHaveLength(1);
    await deleteAll();
  },
);

test("all events stand for those that are offered, and an organization is offered its own", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const list = `/app/organizations/${organization.slug}/webhooks`;
  const settings = await pageOf(browser.get(`/app/organizations/${organization.slug}/settings`));
  expect(settings.linkTo(say("organizations:settings.manageWebhooks"))).toBe(list);

  const all = { intent: "create-webhook", url: receivers.urlOf("all"), groups: "all" };
  await manager.submit(LIST, all);
  await browser.submit(list, { ...all, events: "user.created" });

  const [ofSite, ofOrganization] = await endpoints();
  expect(ofOrganization?.organization_id).toBe(organization.id);
  expect((await actionsOf(ofSite?.id ?? "")).length).toBeGreaterThan(EVENT_TYPES.length);
  const own = await actionsOf(ofOrganization?.id ?? "");
  expect(own).toContain("member.joined");
  expect(own.length).toBeGreaterThanOrEqual(eventTypesFor("organization").length);
  expect(own.filter((action) => /^(user|session)\./.test(action))).toEqual([]);
  const shown = (await pageOf(browser.get(list))).text();
  expect(shown).toContain("hooks.example.com");
  expect(shown).toContain(`${say("webhooks:createdAt")} today`);
  await deleteAll();
});

test.each([
  ["", "urlInvalid"],
  ["hooks.example.com", "urlInvalid"],
  ["http://hooks.example.com/", "urlNotHttps"],
  ["https://me:secret@hooks.example.com/", "urlCredentials"],
  ["https://hooks.example.com:8443/", "urlPort"],
  ["https://169.254.169.254/", "urlIpAddress"],
  ["http://printer.local:8080/", "urlNotPublic"],
] as const)(
  "the URL %s is refused beside its field, and what was typed stays",
  async (url, error) => {
    const fields = { ...NEW, url, ipAddress: "yes", events: "user.banned" };
    const answer = await manager.submit(`${LIST}?state=new`, fields);
    expect(answer.status).toBe(400);
    const page = await pageOf(answer);

    expect(page.field("url")).toMatchObject({ value: url, error: say(`webhooks:${error}`) });
    expect(await endpoints()).toEqual([]);
  },
);

test("without an event there is no webhook, and one's own site is no receiver", async () => {
  const none = await pageOf(manager.submit(`${LIST}?state=new`, { ...NEW, events: "" }));
  expect(none.text()).toContain(say("webhooks:eventsRequired"));

  await using site = await startGatehouse({ vars: { BASE_URL: "https://app.example.com" } });
  const { browser } = await anAdmin(site);
  const headers = { origin: "https://app.example.com" };
  const refusalOf = async (path: string, fields: Record<string, string>) =>
    (await pageOf(browser.submit(path, fields, { headers }))).field("url")?.error;
  const own = { ...NEW, url: "https://app.example.com/api/v1/events" };
  expect(await refusalOf(`${LIST}?state=new`, own)).toBe(say("webhooks:urlOwn"));
  // The other hosts of the operator's domain may trust what comes from there.
  const near = { ...NEW, url: "https://grafana.example.com/api/admin" };
  expect(await refusalOf(`${LIST}?state=new`, near)).toBe(say("webhooks:urlOwnDomain"));
  const { row } = await anEndpoint(site, "https://hooks.acme.org/", ["user.created"]);
  const moved = { ...near, intent: "update-webhook", version: "1" };
  expect(await refusalOf(`${LIST}/${row.id}?state=edit`, moved)).toBe(say("webhooks:urlOwnDomain"));
});

test("of many webhooks made at once no more are kept than may be", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const list = `/app/organizations/${organization.slug}/webhooks`;
  const most = MAX_WEBHOOKS.organization;

  const answers = await Promise.all(
    Array.from({ length: most + 4 }, (_, at) =>
      browser.submit(list, {
        ...NEW,
        url: receivers.urlOf(`many-${at}`),
        events: "team.created",
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status).toSorted();

  expect(statuses).toEqual([...Array(most).fill(200), ...Array(4).fill(409)]);
  expect(await endpoints()).toHaveLength(most);
  const page = await pageOf(browser.get(list));
  expect(page.text()).toContain(say("webhooks:full"));
  expect(page.linkTo(say("webhooks:new"))).toBeUndefined();
  await deleteAll();
});

/** An endpoint of the site and the URL of its screen. */
async function anEndpointOfSite(name: string, actions = ["user.created"]) {
  const { row, secret } = await anEndpoint(gatehouse, receivers.urlOf(name), actions);
  return { id: row.id, secret, path: `${LIST}/${row.id}` };
}

async function does(path: string, fields: Record<string, string>, browser: Browser = manager) {
  const answer = await browser.submit(path, fields);
  return answer.status === 302 ? toastOf(browser, answer) : answer.status;
}

test("a webhook is paused, resumed and deleted, and each is in the audit log", async () => {
  const { id, path } = await anEndpointOfSite("states");
  await run("DELETE FROM webhook_delivery");
  const before = (await auditActions()).length;

  expect(await does(path, { intent: "pause-webhook" })).toContain(say("webhooks:toast.paused"));
  expect((await endpoints())[0]).toMatchObject({ id, state: "paused" });
  const [held] = await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  expect((await pageOf(manager.get(path))).text()).toContain(say("webhooks:pausedText"));

  expect(await does(path, { intent: "resume-webhook" })).toContain(say("webhooks:toast.resumed"));
  await expect.poll(() => receivers.accepted("states")).toEqual([held]);
  await expect
    .poll(async () => (await pageOf(manager.get(path))).text())
    .toContain(say("webhooks:delivery.delivered"));

  expect(await does(path, { intent: "delete-webhook" })).toContain(say("webhooks:toast.deleted"));
  expect(await endpoints()).toEqual([]);
  expect((await manager.get(path)).status).toBe(404);
  expect((await auditActions()).slice(before).toSorted()).toEqual(
    ["webhook.deleted", "webhook.paused", "webhook.resumed"].toSorted(),
  );
  const log = await pageOf(manager.get("/manager/audit?action=webhook.deleted"));
  expect(log.text()).toContain("hooks.example.com");
});

test("a webhook is changed, and a change that another manager has overtaken shows what both want", async () => {
  const { id, path } = await anEndpointOfSite("changed");
  const page = await pageOf(manager.get(`${path}?state=edit`));
  expect(page.field("url")?.value).toBe(receivers.urlOf("changed"));
  const fields = {
    intent: "update-webhook",
    version: "1",
    url: receivers.urlOf("moved"),
    ipAddress: "yes",
    events: "session.started",
  };

  expect(await does(path, fields)).toContain(say("webhooks:toast.saved"));
  expect((await endpoints())[0]).toMatchObject({ id, with_ip_address: 1, version: 2 });
  expect(await actionsOf(id)).toEqual(["user.signed_in"]);

  const late = await manager.submit(path, { ...fields, url: receivers.urlOf("late") });
  expect(late.status).toBe(409);
  const conflict = await pageOf(late);
  expect(conflict.text()).toContain(say("common:conflict.title"));
  expect(conflict.field("url")?.value).toBe(receivers.urlOf("late"));
  expect(conflict.field("version")?.value).toBe("2");
  expect((await endpoints())[0]?.url).toBe(receivers.urlOf("moved"));
  await deleteAll();
});

test("a sample is signed, sent at once, and its answer is shown", async () => {
  const { secret, path } = await anEndpointOfSite("sample");
  receivers.answerBy("sample", (number) =>
    number === 1 ? { status: 200, body: "thank you" } : { status: 418, body: "a teapot" },
  );

  const good = await pageOf(manager.submit(path, { intent: "sample-webhook" }));
  expect(good.text()).toContain(say("webhooks:sampleDelivered"));
  expect(good.text()).toContain("thank you");
  const [delivery] = receivers.of("sample");
  expect(delivery && verify(secret, delivery)).toMatchObject({ type: "webhook.test", data: {} });

  const bad = await pageOf(manager.submit(path, { intent: "sample-webhook" }));
  expect(bad.text()).toContain(say("webhooks:sampleFailed"));
  expect(bad.text()).toContain("418");

  await run("UPDATE rate_limit SET count = 20 WHERE key LIKE 'webhook-sample|%'");
  const limited = await manager.submit(path, { intent: "sample-webhook" });
  expect(limited.status).toBe(429);
  expect(receivers.of("sample")).toHaveLength(2);
  await deleteAll();
});

test("an organization's owner sees the status of an answer, and neither its text nor an IP address", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const list = `/app/organizations/${organization.slug}/webhooks`;
  receivers.answerBy("secretive", () => ({ status: 418, body: "INTERNAL" }));
  const fields = { ...NEW, url: receivers.urlOf("secretive"), events: "team.created" };
  expect((await browser.submit(list, { ...fields, ipAddress: "yes" })).status).toBe(200);
  const [made] = await endpoints();
  expect(made?.with_ip_address).toBe(0);
  // As an earlier version stored them.
  await run("UPDATE webhook_endpoint SET with_ip_address = 1");
  const target = { target_type: "organization", target_id: organization.id };
  await someEvents(gatehouse, 1, { action: "team.created", ...target, ip_address: "192.0.2.77" });

  const path = `${list}/${made?.id}`;
  const sample = await pageOf(browser.submit(path, { intent: "sample-webhook" }));
  await gatehouse.runScheduled();
  await expect.poll(() => receivers.of("secretive")).toHaveLength(2);
  await expect
    .poll(async () => (await pageOf(browser.get(path))).text())
    .toContain(say("webhooks:status", { status: 418 }));

  await run("UPDATE webhook_delivery SET answer = coalesce(answer, 'INTERNAL before')");
  const page = await pageOf(browser.get(path));
  expect(sample.text()).toContain("418");
  for (const text of [sample.text(), page.text()]) {
    expect(text).not.toContain("INTERNAL");
    expect(text).not.toContain("192.0.2.77");
  }
  expect(page.field("ipAddress")).toBeUndefined();
  expect(
    receivers
      .of("secretive")
      .map(({ body }) => body)
      .join(),
  ).not.toContain("192.0.2.77");
  await deleteAll();
});

test("a delivered event is sent again under its id, and one that cannot be delivered is skipped", async () => {
  const { path } = await anEndpointOfSite("again");
  const [first = "", second = ""] = await someEvents(gatehouse, 2);
  receivers.answerBy("again", (number) => (number === 2 ? 500 : 204));
  await gatehouse.runScheduled();
  const deliveryOf = async (event: string) => {
    const row = await d1
      .prepare("SELECT created_at, state FROM webhook_delivery WHERE event_id = ?")
      .bind(event)
      .first<{ created_at: number; state: string }>();
    return { key: `${row?.created_at}.${event}`, state: row?.state };
  };
  await expect.poll(() => receivers.of("again")).toHaveLength(2);
  await expect.poll(async () => (await deliveryOf(first)).state).toBe("delivered");

  const skipped = { intent: "skip-delivery", delivery: (await deliveryOf(second)).key };
  expect(await does(path, skipped)).toContain(say("webhooks:toast.skipped"));
  expect((await deliveryOf(second)).state).toBe("skipped");
  const events = "SELECT count(*) AS n FROM audit_event WHERE action = 'webhook.skipped'";
  expect(await d1.prepare(events).first("n")).toBe(1);
  const repeated = { intent: "repeat-delivery", delivery: (await deliveryOf(first)).key };
  expect((await manager.submit(path, repeated)).status).toBe(302);

  await expect
    .poll(() => receivers.of("again").map(({ id }) => id))
    .toEqual([first, second, first]);
  const page = await pageOf(manager.get(path));
  expect(page.text()).toContain(say("webhooks:delivery.skipped"));
  await deleteAll();
});

test("the log shows 25 deliveries at a time, without gaps or repeats", async () => {
  const { path } = await anEndpointOfSite("many");
  await run("UPDATE webhook_endpoint SET state = 'paused'");
  const ids = await someEvents(gatehouse, 60, { created_at: Date.now() - 1_000 });
  await run("UPDATE webhook_delivery SET tries = 1, state = 'delivered', status = 204");
  const seen: string[] = [];
  let next: string | undefined = path;
  while (next) {
    const html: string = await (await manager.get(next)).text();
    seen.push(
      ...[...html.matchAll(/name="delivery" value="\d+\.([\w-]+)"/g)].map(([, one = ""]) => one),
    );
    next = readPage(html).linkTo(say("webhooks:older"));
  }

  expect(seen).toEqual(ids.toSorted().toReversed());
  await deleteAll();
});

test("an auditor sees the webhooks without their whole URLs and can change nothing", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "auditor" });
  const { path } = await anEndpointOfSite("private-part");

  for (const screen of [LIST, path]) {
    const html = await (await browser.get(screen)).text();
    expect(html).toContain("hooks.example.com");
    expect(html).not.toContain("private-part");
    expect(readPage(html).linkTo(say("webhooks:new"))).toBeUndefined();
  }
  expect(await does(path, { intent: "delete-webhook" }, browser)).toBe(403);
  expect(await does(LIST, NEW, browser)).toBe(403);
  await deleteAll();
});

test("the webhooks of one organization, and the site's, are out of reach of another's owner", async () => {
  const { browser, user } = await aSignedInUser(gatehouse);
  const own = await anOrganization(gatehouse, {}, { owner: user });
  const foreign = await anOrganization(gatehouse);
  const { row } = await anEndpoint(gatehouse, receivers.urlOf("foreign"), ["team.created"], {
    organization_id: foreign.organization.id,
  });
  const { id } = await anEndpointOfSite("of-site");

  for (const one of [row.id, id]) {
    const path = `/app/organizations/${own.organization.slug}/webhooks/${one}`;
    expect((await browser.get(path)).status).toBe(404);
    for (const intent of ["delete", "rotate", "sample", "pause", "resume"].map(
      (act) => `${act}-webhook`,
    )) {
      expect([intent, await does(path, { intent }, browser)]).toEqual([intent, 404]);
    }
  }
  const path = `/app/organizations/${foreign.organization.slug}/webhooks`;
  expect((await browser.get(path)).status).toBe(404);
  expect(await does(path, NEW, browser)).toBe(404);
  expect(await endpoints()).toHaveLength(2);
  expect(receivers.of("foreign")).toEqual([]);
  await deleteAll();
});

test("an endpoint outlives its maker, and goes with its organization", async () => {
  const maker = await anAdmin(gatehouse);
  const { id } = await anEndpointOfSite("outlives");
  await run("UPDATE webhook_endpoint SET made_by = ?", maker.user.id);
  const { organization } = await anOrganization(gatehouse);
  await anEndpoint(gatehouse, receivers.urlOf("theirs"), ["team.created"], {
    organization_id: organization.id,
    made_by: maker.user.id,
  });

  await run("DELETE FROM user WHERE id = ?", maker.user.id);
  expect((await endpoints()).map(({ made_by }) => made_by)).toEqual([null, null]);
  await run("DELETE FROM organization WHERE id = ?", organization.id);
  expect((await endpoints()).map((row) => row.id)).toEqual([id]);
  await deleteAll();
});
