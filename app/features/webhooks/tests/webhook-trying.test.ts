import { afterAll, expect, test } from "vitest";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { BIN_URL } from "../receiver-url.ts";
import { anEndpoint, someEvents, startReceivers, verify } from "./receiver.ts";

const DAY_MS = 86_400_000;

const receivers = await startReceivers();
const gatehouse = await startGatehouse({ standIns: receivers.standIns });
afterAll(async () => {
  await receivers[Symbol.asyncDispose]();
  await gatehouse[Symbol.asyncDispose]();
});
const { d1 } = gatehouse;
const run = statementsOn(gatehouse);
const say = translationsIn("en");
const { browser: manager } = await anAdmin(gatehouse);

const LIST = "/manager/settings/webhooks";
const NEW = { intent: "create-webhook", events: "user.created" };

async function pageOf(response: Response | Promise<Response>) {
  return readPage(await (await response).text());
}

async function textOf(path: string): Promise<string> {
  return (await pageOf(manager.get(path))).text();
}

function all(table: string) {
  return d1.prepare(`SELECT * FROM ${table}`).all<Record<string, string | number | null>>();
}

/** Deletes all endpoints and deliveries, so that they do not take part in the next test. */
async function deleteAll() {
  await run("DELETE FROM webhook_endpoint");
  await run("DELETE FROM webhook_delivery");
}

/** Lets the wait after a failed attempt be over, and wakes the senders. */
async function tryNow() {
  await run("UPDATE webhook_endpoint SET next_try_at = NULL");
  await gatehouse.runScheduled();
}

test("on a local site a receiver on the same machine gets events, and the site itself is none", async () => {
  const made = await pageOf(
    manager.submit(`${LIST}?state=new`, { ...NEW, url: receivers.localUrlOf("local") }),
  );
  const secret = made.field("secret")?.value ?? "";
  const [id] = await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();

  await expect.poll(() => receivers.accepted("local")).toEqual([id]);
  const [delivery] = receivers.of("local");
  expect(delivery && verify(secret, delivery)).toMatchObject({ type: "user.created" });
  const own = { ...NEW, url: `http://127.0.0.1:${gatehouse.url.port}/api/v1/events` };
  const refused = await pageOf(manager.submit(`${LIST}?state=new`, own));
  expect(refused.field("url")?.error).toBe(say("webhooks:urlOwn"));
  const news = await d1.prepare("SELECT name FROM program_news").first("name");
  expect(news).toBe(new URL(receivers.localUrlOf("")).host);
  await deleteAll();
});

test("a deployed site sends nothing to its own machine, also when the request says localhost", async () => {
  const vars = { BASE_URL: "https://app.example.com" };
  await using site = await startGatehouse({ vars, standIns: receivers.standIns });
  const { browser } = await anAdmin(site);
  const refusalOf = async (url: string) => {
    // The harness calls localhost, like a client with a forged Host header.
    const headers = { origin: vars.BASE_URL };
    const answer = browser.submit(`${LIST}?state=new`, { ...NEW, url }, { headers });
    return (await pageOf(answer)).field("url")?.error;
  };

  expect(site.url.hostname).toBe("localhost");
  expect(await refusalOf(receivers.localUrlOf("deployed"))).toBe(say("webhooks:urlIpAddress"));
  expect(await refusalOf("http://localhost:3000/")).toBe(say("webhooks:urlNotPublic"));
  expect(await refusalOf("https://localhost:8898/")).toBe(say("webhooks:urlNotPublic"));
  // A row from when the database belonged to a local site.
  const { row } = await anEndpoint(site, receivers.localUrlOf("deployed"), ["user.created"]);
  await someEvents(site, 1);
  await site.runScheduled();
  const errorOf = () =>
    site.d1
      .prepare("SELECT error FROM webhook_delivery WHERE endpoint_id = ?")
      .bind(row.id)
      .first("error");
  await expect.poll(errorOf).toBe("refused");
  expect(receivers.of("deployed")).toEqual([]);
});

test("the built-in bin shows what it received with the checked signature, and nothing leaves the site", async () => {
  const made = await pageOf(manager.submit(`${LIST}?state=new`, { ...NEW, url: "", bin: "yes" }));
  expect(made.field("secret")?.value).toMatch(/^whsec_/);
  const [endpoint] = (await all("webhook_endpoint")).results;
  const path = `${LIST}/${endpoint?.id}`;
  expect(await textOf(path)).toContain(say("webhooks:bin.empty"));
  const news = "SELECT count(*) AS n FROM program_news WHERE name = 'built-in-bin'";
  expect(await d1.prepare(news).first("n")).toBe(0);

  const [id = ""] = await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  await expect.poll(async () => (await all("webhook_bin")).results).toHaveLength(1);
  await manager.submit(path, { intent: "sample-webhook", sample: "user.banned" });

  const text = await textOf(path);
  expect(text).toContain(say("webhooks:bin.signed"));
  expect(text).not.toContain(say("webhooks:bin.unsigned"));
  expect(text).toContain(`webhook-id: ${id}`);
  expect(text).toContain("webhook-signature: v1,");
  expect(text).toContain('"sample": true');
  expect(await textOf(LIST)).toContain(say("webhooks:bin.name"));
  expect(gatehouse.refused).toEqual([]);

  const second = await pageOf(manager.submit(`${LIST}?state=new`, { ...NEW, url: "", bin: "yes" }));
  expect(second.field("bin")?.error).toBe(say("webhooks:binTaken"));
  await deleteAll();
  expect((await all("webhook_bin")).results).toEqual([]);
});

test("a wrong signature in the bin is named, and an erasure leaves no body in it", async () => {
  const { row } = await anEndpoint(gatehouse, BIN_URL, ["user.created"]);
  const [id = ""] = await someEvents(gatehouse, 1, { details: '{"name":"Eve Erased"}' });
  await gatehouse.runScheduled();
  await expect.poll(async () => (await all("webhook_bin")).results).toHaveLength(1);
  const path = `${LIST}/${row.id}`;
  expect(await textOf(path)).toContain("Eve Erased");

  await run("UPDATE webhook_bin SET is_signed = 0");
  await run("UPDATE audit_event SET details = NULL WHERE id = ?", id);

  const text = await textOf(path);
  expect(text).toContain(say("webhooks:bin.unsigned"));
  expect(text).not.toContain("Eve Erased");
  await deleteAll();
});

test("a bin keeps the last 20 deliveries, for a day", async () => {
  const { row } = await anEndpoint(gatehouse, BIN_URL, ["user.created"]);
  const ids = await someEvents(gatehouse, 30);
  await gatehouse.runScheduled();
  const kept = async () => (await all("webhook_bin")).results.map(({ event_id }) => event_id);
  await expect
    .poll(async () => (await all("webhook_delivery")).results.map(({ state }) => state))
    .toEqual(Array(30).fill("delivered"));

  expect((await kept()).length).toBe(20);
  expect(await kept()).toContain(ids.at(-1));
  await run("UPDATE webhook_bin SET received_at = received_at - ?", DAY_MS);
  expect(await textOf(`${LIST}/${row.id}`)).toContain(say("webhooks:bin.empty"));
  await gatehouse.runHourly();
  expect(await kept()).toEqual([]);
  await deleteAll();
});

test("a delivery shows each attempt with its answer, and the days count them", async () => {
  const { row } = await anEndpoint(gatehouse, receivers.urlOf("slow"), ["user.created"]);
  receivers.answerBy("slow", (number) =>
    number < 3 ? { status: 500 + number, body: `not yet ${number}` } : 204,
  );
  await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  await expect.poll(async () => (await all("webhook_delivery")).results[0]?.tries).toBe(1);
  await tryNow();
  await expect.poll(async () => (await all("webhook_delivery")).results[0]?.tries).toBe(2);
  await tryNow();
  await expect
    .poll(async () => (await all("webhook_delivery")).results[0]?.state)
    .toBe("delivered");

  const text = await textOf(`${LIST}/${row.id}`);
  const answers = [204, 502, 501].map((status) => say("webhooks:status", { status }));
  const [last = "", second = "", first = ""] = answers.map((one) => text.lastIndexOf(one));
  expect([last, second, first]).toEqual(
    [last, second, first].toSorted((a, b) => Number(a) - Number(b)),
  );
  expect(text).toContain("not yet 1");
  expect(text).toContain("not yet 2");
  expect(text).toContain(`${say("webhooks:plot.accepted")}: 1`);
  expect(text).toContain(`${say("webhooks:plot.failed")}: 2`);
  expect((await all("webhook_day")).results).toMatchObject([{ accepted: 1, failed: 2 }]);

  // However many attempts are made, the last 20 are kept: 19 here and one in the delivery.
  for (let at = 1; at <= 25; at += 1) {
    await run("UPDATE webhook_delivery SET tries = tries + 1, tried_at = ?", Date.now() + at);
  }
  expect((await all("webhook_attempt")).results).toHaveLength(19);
  await run("DELETE FROM webhook_endpoint");
  await gatehouse.runHourly();
  expect((await all("webhook_attempt")).results).toEqual([]);
  expect((await all("webhook_day")).results).toEqual([]);
});

test("after a retry the screen says that it is tried again, and then what became of it", async () => {
  const { row } = await anEndpoint(gatehouse, receivers.urlOf("retried"), ["user.created"]);
  receivers.answerBy("retried", (number) => (number === 1 ? 500 : "hang"));
  await someEvents(gatehouse, 1);
  await gatehouse.runScheduled();
  await expect.poll(async () => (await all("webhook_endpoint")).results[0]?.tries).toBe(1);
  const path = `${LIST}/${row.id}`;
  expect(await textOf(path)).toContain(say("webhooks:failing"));
  const [delivery] = (await all("webhook_delivery")).results;

  const fields = {
    intent: "repeat-delivery",
    delivery: `${delivery?.created_at}.${delivery?.event_id}`,
  };
  const answer = await manager.submit(path, fields);

  expect(answer.headers.get("location")).toBe(path);
  const meanwhile = await textOf(path);
  expect(meanwhile).toContain(say("webhooks:tryingAgain"));
  expect(meanwhile).toContain(say("webhooks:delivery.again"));
  expect(meanwhile).toContain(say("webhooks:failing"));
  await expect.poll(async () => (await all("webhook_endpoint")).results[0]?.tries).toBe(2);
  const afterwards = await textOf(path);
  expect(afterwards).toContain(say("webhooks:failing"));
  expect(afterwards).toContain(say("webhooks:delivery.refused"));
  expect(afterwards).toContain(say("webhooks:error.timeout"));
  expect(afterwards).not.toContain(say("webhooks:tryingAgain"));
  await deleteAll();
}, 60_000);

test("the event that others wait for is skipped, and the next ones follow", async () => {
  const { row } = await anEndpoint(gatehouse, receivers.urlOf("head"), ["user.created"]);
  const [bad = "", ...rest] = await someEvents(gatehouse, 3);
  receivers.answerBy("head", (number) => (number === 1 ? 422 : 204));
  await gatehouse.runScheduled();
  await expect.poll(async () => (await all("webhook_endpoint")).results[0]?.tries).toBe(1);
  const path = `${LIST}/${row.id}`;
  const page = await pageOf(manager.get(path));
  const key = page.field("delivery")?.value ?? "";
  expect(key).toContain(bad);
  // The deliveries behind it were never tried, so they have no "Try again".
  expect(page.findAll("button", say("webhooks:again"))).toHaveLength(1);
  const notice = page
    .findAll("status")
    .map((one) => one.textContent ?? "")
    .join();
  expect(notice).toContain("user.created");

  expect((await manager.submit(path, { intent: "skip-delivery", delivery: key })).status).toBe(302);

  await expect.poll(() => receivers.accepted("head")).toEqual(rest);
  const skipped = await d1
    .prepare("SELECT details FROM audit_event WHERE action = 'webhook.skipped'")
    .first<string>("details");
  expect(JSON.parse(skipped ?? "")).toEqual({
    receiver: "hooks.example.com",
    events: "user.created",
  });
  // One that is over can be sent again, the skipped one too.
  const after = await pageOf(manager.get(path));
  expect(after.findAll("button", say("webhooks:sendAgain"))).toHaveLength(3);
  expect(after.findAll("button", say("webhooks:again"))).toHaveLength(0);
  const again = await manager.submit(path, { intent: "skip-delivery", delivery: key });
  expect(again.status).toBe(409);
  expect((await pageOf(again)).text()).toContain(say("webhooks:notWaiting"));
  await deleteAll();
});

test("a sample of each type is shown before it is sent, and the chosen one is sent", async () => {
  const { row, secret } = await anEndpoint(gatehouse, receivers.urlOf("samples"), ["user.created"]);
  const path = `${LIST}/${row.id}`;

  const first = await textOf(path);
  expect(first).toContain('"type": "webhook.test"');
  expect(first).toContain("each that is sent has an id and a time of its own");
  const shown = await textOf(`${path}?sample=member.role_changed`);
  expect(shown).toContain('"member": "sample-member"');
  expect(receivers.of("samples")).toEqual([]);
  await manager.submit(path, { intent: "sample-webhook", sample: "member.role_changed" });

  const [sent] = receivers.of("samples");
  expect(sent && verify(secret, sent)).toMatchObject({
    id: expect.not.stringMatching("sample-event"),
    type: "member.role_changed",
    sample: true,
    data: { ids: { organization: "sample-organization", user: "sample-user" } },
  });
  await deleteAll();
});

test("events of members have the ids of the organization, the membership and the user", async () => {
  const { organization } = await anOrganization(gatehouse);
  const { user } = await aSignedInUser(gatehouse);
  await anEndpoint(gatehouse, receivers.urlOf("ids"), ["member.added"], {
    organization_id: organization.id,
  });

  const fields = { intent: "add-member", email: user.email, role: "member" };
  await manager.submit(`/manager/organizations/${organization.id}`, fields);

  await expect.poll(() => receivers.of("ids")).toHaveLength(1);
  const membership = await d1
    .prepare("SELECT id FROM member WHERE user_id = ?")
    .bind(user.id)
    .first<string>("id");
  expect(JSON.parse(receivers.of("ids")[0]?.body ?? "").data.ids).toEqual({
    organization: organization.id,
    member: membership,
    user: user.id,
  });
  await deleteAll();
});
