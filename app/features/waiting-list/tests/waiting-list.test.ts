import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { saveAccess } from "../../../../tests/support/access-settings.ts";
import { choose } from "../../../../tests/support/bulk.ts";
import {
  accessibleError,
  locationOf,
  newBrowser,
  readText,
} from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { readPage } from "../../../../tests/support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
} from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startTurnstile } from "../../../../tests/support/turnstile.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { encodeCursor } from "../../../lists/query/list-params.ts";
import { offerList } from "./list-switch.ts";

const JOIN = "/login/waiting-list";
const LIST = "/manager/settings/waiting-list";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

beforeEach(async () => {
  await gatehouse.d1.exec("DELETE FROM rate_limit");
  await offerList(gatehouse, manager, { signUpMode: "invitation" });
});

function requestOf(email: string) {
  return gatehouse.d1
    .prepare("SELECT id, state, language, decided_by FROM waiting_list WHERE email = ?")
    .bind(email)
    .first<{ id: string; state: string; language: string; decided_by: string | null }>();
}

async function aRequest(language = "en") {
  const email = newEmail("hopeful");
  const browser = newBrowser(gatehouse, { language });
  await browser.submit(JOIN, { email });
  const request = await requestOf(email);
  if (!request) throw new Error(`${email} is not on the waiting list`);
  return { email, ...request };
}

test("the login page offers the waiting list as soon as it is on, and only while sign-up is not open", async () => {
  const offers = async () => {
    const page = await (await newBrowser(gatehouse).get("/login")).text();
    const screen = await newBrowser(gatehouse).get(JOIN);
    return [page.includes(`href="${JOIN}"`), screen.status];
  };

  expect(await offers()).toEqual([true, 200]);
  await offerList(gatehouse, manager, { signUpMode: "open" });
  expect(await offers()).toEqual([false, 302]);
  await offerList(gatehouse, manager, { signUpMode: "closed" }, false);
  expect(await offers()).toEqual([false, 302]);
  const refused = await newBrowser(gatehouse).submit(JOIN, { email: newEmail("late") });
  expect(locationOf(refused)).toBe("/login");
});

test("without the list the login page says whom to ask for an account", async () => {
  const says = async () => readText(await (await newBrowser(gatehouse).get("/login")).text());
  const ask = translationsIn("en")("login:askForAccount");

  expect(await says()).not.toContain(ask);
  await offerList(gatehouse, manager, { signUpMode: "closed" }, false);
  expect(await says()).toContain(ask);
});

test("an empty list says when people appear, beside the switch", async () => {
  const page = readPage(await (await manager.get(LIST)).text());

  expect(page.text()).toContain("When the login page offers a waiting list");
  expect(page.find("button", "Stop offering it")).toBeDefined();
});

test("the switch says what holds, is recorded once, and is an admin's alone", async () => {
  const { browser: auditor } = await aSignedInUser(gatehouse, { role: "auditor" });
  const recorded = async () => {
    const { results } = await gatehouse.d1
      .prepare(
        "SELECT action FROM audit_event WHERE action IN ('waiting_list.opened', 'waiting_list.closed') AND created_at >= ? ORDER BY created_at",
      )
      .bind(start)
      .all<{ action: string }>();
    return results.map(({ action }) => action);
  };
  const says = async () => readText(await (await auditor.get(LIST)).text());
  const start = Date.now();

  expect(await says()).toContain("The waiting list is on.");
  await manager.submit(LIST, { intent: "switch-off" });
  expect(await says()).toContain("The waiting list is off.");
  const again = await manager.follow(manager.submit(LIST, { intent: "switch-off" }));
  expect(readText(await again.text())).toContain("Someone else has already changed this.");
  await manager.submit(LIST, { intent: "switch-on" });

  expect(await recorded()).toEqual(["waiting_list.closed", "waiting_list.opened"]);
  const { document } = readPage(await (await auditor.get(LIST)).text());
  expect(document.querySelectorAll('main form[method="post"]')).toHaveLength(0);
  expect((await auditor.submit(LIST, { intent: "switch-off" })).status).toBe(403);
});

test("while sign-up is by invitation the approved get a code, and who waits or was declined does not", async () => {
  const getsCode = async (state: string) => {
    const { email, id } = await aRequest();
    if (state !== "waiting") await manager.submit(LIST, { intent: "approve", id });
    if (state === "declined") await manager.submit(LIST, { intent: "decline", id });
    const asked = await newBrowser(gatehouse).submit("/login", { intent: "email", email });
    expect(asked.status).toBe(302);
    const count = await gatehouse.d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ? AND kind = 'login-code'")
      .bind(email)
      .first<number>("n");
    return count === 1;
  };
  const answers = async () => [
    await getsCode("approved"),
    await getsCode("waiting"),
    await getsCode("declined"),
  ];

  expect(await answers()).toEqual([true, false, false]);
  await offerList(gatehouse, manager, { signUpMode: "closed" });
  expect(await answers()).toEqual([false, false, false]);
  await gatehouse.d1.exec("DELETE FROM waiting_list");
  expect(await gatehouse.d1.prepare("SELECT email FROM admitted_email").first()).toBeNull();
});

test("the dashboard tells how many wait, with the list behind it", async () => {
  await gatehouse.d1.exec("DELETE FROM waiting_list");
  await aRequest();

  const page = readPage(await (await manager.get("/manager/dashboard")).text());
  expect(page.linkTo("1 person is waiting for approval")).toBe(LIST);
  await gatehouse.d1.exec("DELETE FROM waiting_list");
});

test("a list without any request has no tools, and one with decided requests offers those", async () => {
  const read = async () => readPage(await (await manager.get(LIST)).text());
  const tools = "main :is([role=search], .list-toolbar)";
  expect((await read()).document.querySelectorAll(tools)).toHaveLength(0);
  const { id } = await aRequest();
  await gatehouse.d1.exec(`UPDATE waiting_list SET state = 'approved' WHERE id = '${id}'`);

  const { document, linkTo, find } = await read();

  expect(document.querySelectorAll("main [role=search]")).toHaveLength(0);
  // Without JavaScript the button opens the filters as a part of the page.
  expect(find("button", "Filters")?.getAttribute("value")).toBe("open");
  expect(linkTo("Approved")).toBeUndefined();
  const open = readPage(await (await manager.get(`${LIST}?filters=open`)).text());
  expect(open.linkTo("Approved")).toBe(`${LIST}?filters=open&state=approved`);
  await gatehouse.d1.exec("DELETE FROM waiting_list");
});

test("everyone gets the same answer, and only new people are put on the list, once", async () => {
  await saveAccess(gatehouse, manager, {
    signUpMode: "invitation",
    blockedDomains: "refused.example",
  });
  const ask = async (email: string) => {
    const browser = newBrowser(gatehouse);
    const answer = await browser.submit(JOIN, { email });
    const page = await browser.follow(answer);
    return [
      answer.status,
      locationOf(answer)?.replace(encodeURIComponent(email), "EMAIL"),
      answer.headers.get("x-d1-calls"),
      readText(await page.text()).replace(email, "EMAIL"),
    ];
  };
  const email = newEmail("hopeful");
  const { email: known } = await aUser(gatehouse);

  // The first page after a change reads the settings.
  await newBrowser(gatehouse).get("/login");

  const first = await ask(email);
  expect(first[3]).toMatch(/Thank you We'll email EMAIL when you can create an account/);
  for (const other of [email, known, "x@refused.example"]) expect(await ask(other)).toEqual(first);
  expect(await requestOf(email)).toMatchObject({ state: "waiting", language: "en" });
  expect(await requestOf(known)).toBeNull();
  expect(await requestOf("x@refused.example")).toBeNull();
  const bad = await newBrowser(gatehouse).submit(JOIN, { email: "nobody" });
  expect(accessibleError(await bad.text(), "email")).toBe("Email is invalid");
});

test("an IP address that asks too often is refused, and adds nobody", async () => {
  const from = newBrowser(gatehouse, { ipAddress: "203.0.113.9" });
  const answers: number[] = [];
  for (let count = 0; count < 11; count++) {
    answers.push((await from.submit(JOIN, { email: `flood${count}@example.com` })).status);
  }

  expect(answers).toEqual([...Array(10).fill(302), 429]);
  expect(await requestOf("flood9@example.com")).not.toBeNull();
  expect(await requestOf("flood10@example.com")).toBeNull();
});

test("the addresses of one IPv6 /64 share a limit, and those of another do not", async () => {
  const ask = (ipAddress: string) =>
    newBrowser(gatehouse, { ipAddress }).submit(JOIN, { email: newEmail("network") });
  const answers: number[] = [];
  for (let count = 0; count < 11; count++) {
    answers.push((await ask(`2001:db8:1:2:${count}::${count}`)).status);
  }

  expect(answers).toEqual([...Array(10).fill(302), 429]);
  expect((await ask("2001:db8:1:3::1")).status).toBe(302);
  await gatehouse.d1.exec("DELETE FROM waiting_list");
});

test("an admin approves and declines several, the approved are written to in their language, and it is on record", async () => {
  const start = Date.now();
  const [ama, jean, kofi] = [await aRequest(), await aRequest("fr"), await aRequest()];
  const list = readText(await (await manager.get(LIST)).text());
  for (const { email } of [ama, jean, kofi]) expect(list).toContain(email);

  const approved = await manager.submit(LIST, [
    ["intent", "approve"],
    ["id", ama.id],
    ["id", jean.id],
  ]);
  expect(readText(await approved.text())).toContain("2 people approved:");
  await manager.submit(LIST, { intent: "decline", id: kofi.id });

  expect((await gatehouse.mailbox.mailFor(ama.email)).subject).toBe(
    "You can now create your account",
  );
  expect((await gatehouse.mailbox.mailFor(jean.email)).subject).toBe(
    "Vous pouvez créer votre compte",
  );
  expect(await requestOf(ama.email)).toMatchObject({ state: "approved", decided_by: admin.id });
  const { results } = await gatehouse.d1
    .prepare(
      "SELECT action, details FROM audit_event WHERE action IN ('waiting_list.approved', 'waiting_list.declined') AND created_at >= ? ORDER BY action",
    )
    .bind(start)
    .all<{ action: string; details: string }>();
  expect(results.map(({ action }) => action)).toEqual([
    "waiting_list.approved",
    "waiting_list.approved",
    "waiting_list.declined",
  ]);
  expect(results[0]?.details).toContain("h…@example.com");

  const again = await manager.submit(LIST, { intent: "approve", id: ama.id });
  expect(readText(await again.text())).toContain("Already decided");

  const browser = newBrowser(gatehouse);
  await askForCode(browser, ama.email);
  const entered = await enterCode(browser, ama.email, await gatehouse.mailbox.codeFor(ama.email));
  expect(locationOf(entered)).toBe("/onboarding");
  expect(await requestOf(ama.email)).toBeNull();
});

test("two admins who approve at once send one mail", async () => {
  const { id, email } = await aRequest();
  const { browser: other } = await anAdmin(gatehouse);

  await Promise.all([manager, other].map((by) => by.submit(LIST, { intent: "approve", id })));

  const count = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<number>("n");
  expect(count).toBe(1);
});

test("a person whose e-mail becomes that of an account waits no longer", async () => {
  const { browser } = await anAdmin(gatehouse);
  const user = await aUser(gatehouse);
  const email = newEmail();
  await insertRows(gatehouse.d1, "waiting_list", [
    { id: crypto.randomUUID(), email, language: "en", created_at: Date.now() },
  ]);

  await browser.submit(`/manager/users/${user.id}/update`, {
    intent: "save",
    version: "1",
    name: user.name,
    email,
    role: "user",
  });

  const left = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM waiting_list WHERE email = ?")
    .bind(email)
    .first("n");
  expect(left).toBe(0);
});

test("the hourly run deletes requests that are a year old", async () => {
  const { email } = await aRequest();
  const { email: fresh } = await aRequest();
  await gatehouse.d1
    .prepare("UPDATE waiting_list SET created_at = created_at - 366 * 86400000 WHERE email = ?")
    .bind(email)
    .run();

  await gatehouse.runHourly();

  expect([await requestOf(email), (await requestOf(fresh))?.state]).toEqual([null, "waiting"]);
});

test("a search finds the beginning of an e-mail in the shown state, page by page", async () => {
  const word = `search${process.pid}`;
  await insertRows(
    gatehouse.d1,
    "waiting_list",
    Array.from({ length: 45 }, (_, index) => ({
      id: crypto.randomUUID(),
      email: `${word}.${String(index).padStart(2, "0")}@example.com`,
      language: "en",
      state: index === 3 ? "declined" : "waiting",
      // The newest first, so that the order by e-mail is another one.
      created_at: 1e12 - index,
    })),
  );
  const emailsAt = async (path: string) => {
    const page = readText(await (await manager.get(path)).text());
    return [...new Set(page.match(new RegExp(`${word}\\.\\d+`, "g")))];
  };
  const names = (numbers: number[]) => numbers.map((n) => `${word}.${String(n).padStart(2, "0")}`);

  expect(await emailsAt(`${LIST}?searchTerm=${word.toUpperCase()}.0`)).toEqual(
    names([0, 1, 2, 4, 5, 6, 7, 8, 9]),
  );
  expect(await emailsAt(`${LIST}?state=declined&searchTerm=${word}`)).toEqual(names([3]));
  expect(await emailsAt(`${LIST}?searchTerm=example.com`)).toEqual([]);
  const all = await emailsAt(`${LIST}?searchTerm=${word}&pages=3`);
  expect(all).toHaveLength(44);
  const cursor = encodeCursor({ value: `${word}.19@example.com`, id: "~" });
  expect(await emailsAt(`${LIST}?searchTerm=${word}&after=${cursor}`)).toEqual(all.slice(19, 39));
});

test("list and search walk an index, however long the list is", async () => {
  const planOf = async (where: string) => {
    const { results } = await gatehouse.d1
      .prepare(`EXPLAIN QUERY PLAN SELECT id, email FROM waiting_list WHERE ${where} LIMIT 21`)
      .all<{ detail: string }>();
    return results.map(({ detail }) => detail).join("; ");
  };

  const plans = [
    await planOf("state = 'waiting' ORDER BY created_at, id"),
    await planOf("+state = 'waiting' AND email >= 'a' AND email < 'b' ORDER BY email, id"),
  ];

  expect(plans).toEqual([
    expect.stringContaining("waiting_list_state (state=?)"),
    expect.stringMatching(/sqlite_autoindex_waiting_list_2 \(email>\? AND email<\?\)/),
  ]);
  expect(plans.join()).not.toContain("TEMP B-TREE");
});

test("a declined person gets no mail, because a stranger may have put them on the list", async () => {
  const { id, email } = await aRequest();

  await manager.submit(LIST, { intent: "decline", id });

  expect((await requestOf(email))?.state).toBe("declined");
  const mails = await gatehouse.d1
    .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
    .bind(email)
    .first<number>("n");
  expect(mails).toBe(0);
});

test("addresses of one /64 share a limit, and the site takes 200 people an hour", async () => {
  const email = newEmail("flood");
  const statuses: number[] = [];
  for (let host = 0; host < 12; host++) {
    const client = newBrowser(gatehouse, { ipAddress: `2001:db8:7:7::${host + 1}` });
    statuses.push((await client.submit(JOIN, { email: `${host}.${email}` })).status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);

  await insertRows(
    gatehouse.d1,
    "waiting_list",
    Array.from({ length: 200 }, (_, index) => ({
      id: `flood-${index}`,
      email: `crowd.${index}.${email}`,
      language: "en",
      state: "waiting",
      created_at: Date.now(),
    })),
  );
  const late = newEmail("late");
  const refused = await newBrowser(gatehouse).submit(JOIN, { email: late });
  expect(refused.status).toBe(429);
  expect(await requestOf(late)).toBeNull();
  await gatehouse.d1.exec("DELETE FROM waiting_list WHERE id GLOB 'flood-*'");
  expect((await newBrowser(gatehouse).submit(JOIN, { email: late })).status).toBe(302);
});

test("the waiting list asks for a captcha too, and takes one that was solved here", async () => {
  const turnstile = await startTurnstile();
  onTestFinished(() => turnstile[Symbol.asyncDispose]());
  await using target = await startGatehouse({
    vars: { ...turnstile.vars, SIGN_UP_ENABLED: "false" },
  });
  await target.d1.exec("UPDATE waiting_list_setting SET is_on = 1");
  const join = (token?: string) =>
    newBrowser(target).submit(JOIN, {
      email: newEmail("hopeful"),
      ...(token && { "cf-turnstile-response": token }),
    });
  const waiting = () =>
    target.d1.prepare("SELECT count(*) AS n FROM waiting_list").first<number>("n");

  expect((await join()).status).toBe(400);
  expect((await join(turnstile.solve({ action: "other" }))).status).toBe(400);
  expect((await join(turnstile.solve({ hostname: "evil.example" }))).status).toBe(400);
  turnstile.setCondition("down");
  expect((await join(turnstile.solve())).status).toBe(400);
  expect(await waiting()).toBe(0);
  turnstile.setCondition("well");
  expect((await join(turnstile.solve())).status).toBe(302);
  expect(await waiting()).toBe(1);
});

test("on the free plan decisions go on with the next request", async () => {
  await using gatehouse = await startGatehouse({
    vars: { PLAN: "free", SIGN_UP_ENABLED: "false" },
  });
  const { browser } = await anAdmin(gatehouse);
  const ids = Array.from({ length: 30 }, () => crypto.randomUUID());
  await insertRows(
    gatehouse.d1,
    "waiting_list",
    ids.map((id) => ({ id, email: newEmail("waiting"), language: "en", created_at: 1 })),
  );
  const waiting = async () => {
    const { results } = await gatehouse.d1
      .prepare("SELECT id FROM waiting_list WHERE state = 'waiting'")
      .all<{ id: string }>();
    return results.map(({ id }) => id);
  };
  for (let round = 0; round < 4; round++) {
    const left = await waiting();
    if (left.length > 0) {
      await choose(browser, LIST, left, { intent: "approve" });
    }
  }
  expect(await waiting()).toEqual([]);
});
