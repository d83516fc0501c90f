import { afterAll, expect, test } from "vitest";
import { events, loadAuditLog } from "../../app/features/audit/audit-log.server.ts";
import { newBrowser, readText } from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { anOrganization } from "../support/organizations.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, askForCode, aUser } from "../support/people.ts";
import { plansOf, wholeTableReads } from "../support/plans.ts";
import { startGatehouse } from "../support/worker.ts";

const AUDIT = "/manager/audit";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse, { name: "Mona Manager" });

type Event = {
  action: string;
  actor_id: string | null;
  impersonator_id: string | null;
  target_type: string | null;
  target_id: string | null;
  details: string | null;
  ip_address: string | null;
  user_agent: string | null;
  created_at: number;
};

/** Returns the statement that inserts an event; `overrides` replace single columns. */
function eventStatement(overrides: Partial<Event>): D1PreparedStatement {
  const event: Event = {
    action: "user.updated",
    actor_id: admin.id,
    impersonator_id: null,
    target_type: "user",
    target_id: admin.id,
    details: null,
    ip_address: null,
    user_agent: null,
    created_at: Date.now(),
    ...overrides,
  };
  const columns = ["id", ...Object.keys(event)];
  return gatehouse.d1
    .prepare(
      `INSERT INTO audit_event (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    )
    .bind(crypto.randomUUID(), ...Object.values(event));
}

async function anEvent(overrides: Partial<Event>): Promise<void> {
  await eventStatement(overrides).run();
}

/** Returns the rows of a filtered audit log, each as its text, newest first. */
async function rowsOf(search: string): Promise<string[]> {
  const page = await (await manager.get(`${AUDIT}?${search}`)).text();
  return readPage(page)
    .rows()
    .map((cells) => cells.join(" "));
}

async function exportOf(search: string): Promise<string[]> {
  const file = await (await manager.get(`${AUDIT}/export?${search}`)).text();
  return file.replace("\ufeff", "").trimEnd().split("\r\n");
}

function valuesOf(page: string, name: string): (string | null)[] {
  return [...readPage(page).document.querySelectorAll(`[name="${name}"]`)].map((field) =>
    field.getAttribute("value"),
  );
}

test("the actor filter takes an id or a whole e-mail, and finds impersonated actions too", async () => {
  const actor = await aUser(gatehouse, { name: "Juma Otieno" });
  const other = await aUser(gatehouse, { name: "Neema Kamau" });
  await anEvent({ actor_id: actor.id, target_id: other.id, action: "user.banned" });
  await anEvent({
    actor_id: other.id,
    impersonator_id: actor.id,
    target_id: other.id,
    action: "user.signed_out",
  });

  for (const reference of [actor.id, actor.email, actor.email.toUpperCase()]) {
    const rows = await rowsOf(`actor=${encodeURIComponent(reference)}`);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/Signed out.*Neema Kamau by Juma Otieno.*Neema Kamau/);
    expect(rows[1]).toMatch(/User banned.*Juma Otieno.*Neema Kamau/);
    expect(rows[2]).toContain("User created");
    expect(await exportOf(`actor=${encodeURIComponent(reference)}`)).toHaveLength(1 + 3);
  }
  expect(await rowsOf(`actor=${actor.email.slice(1)}`)).toEqual([]);
});

test("the search takes a whole e-mail or an id, of who acted or of what an event is about", async () => {
  const person = await aUser(gatehouse, { name: "Salma Idris" });
  const other = await aUser(gatehouse, { name: "Baraka Mwangi" });
  await anEvent({ actor_id: person.id, target_id: other.id, action: "user.banned" });
  await anEvent({ actor_id: other.id, target_id: person.id, action: "user.unbanned" });
  await anEvent({
    actor_id: other.id,
    impersonator_id: person.id,
    target_id: person.id,
    action: "user.signed_out",
  });

  for (const term of [person.id, person.email, ` ${person.email.toUpperCase()} `]) {
    const rows = await rowsOf(new URLSearchParams({ searchTerm: term }).toString());
    expect(rows).toHaveLength(4);
    expect(rows.filter((row) => row.includes("Baraka Mwangi"))).toHaveLength(3);
    expect(await exportOf(new URLSearchParams({ searchTerm: term }).toString())).toHaveLength(5);
  }
  const both = await rowsOf(`searchTerm=${person.id}&actor=${other.id}&action=user.unbanned`);
  expect(both).toHaveLength(1);
  const { text } = await openList(manager, `${AUDIT}?searchTerm=salma`);
  expect(text).toContain("Type a full email address, an ID");
});

test("the filter has each event once, by name, under what it is about", async () => {
  // The language is kept in the browser.
  const { browser } = await anAdmin(gatehouse);
  for (const language of ["en", "fr", "ar", "sw"]) {
    const page = readPage(
      await (await browser.get(`${AUDIT}?filters=open&lng=${language}`)).text(),
    );
    const groups = [...page.document.querySelectorAll('select[name="action"] optgroup')];
    const names = [...page.document.querySelectorAll('select[name="action"] option')].map(
      (option) => option.textContent ?? "",
    );
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    // A kind of things without a name would be shown as it is called in the code.
    for (const group of groups) expect(group.getAttribute("label")).not.toMatch(/_|^[a-z]+$/);
  }
});

test("no cell of a row is a link: a click opens the row", async () => {
  const person = await aUser(gatehouse);
  const page = readPage(await (await manager.get(`${AUDIT}?target=${person.id}`)).text());

  expect(page.document.querySelectorAll(".list-row a")).toHaveLength(0);
  expect(page.document.querySelectorAll(".list-row summary")).toHaveLength(1);
});

test("the target filter combines with actor and action", async () => {
  const target = await aUser(gatehouse, { name: "Imani Mushi" });
  await anEvent({ target_id: target.id, action: "user.banned" });
  await anEvent({ target_id: target.id, action: "user.unbanned" });
  await anEvent({ target_id: target.id, action: "user.banned", actor_id: target.id });

  expect(await rowsOf(`target=${target.id}`)).toHaveLength(4);
  expect(await rowsOf(`target=${target.email}&action=user.banned`)).toHaveLength(2);
  const both = await rowsOf(`target=${target.id}&actor=${admin.id}&action=user.banned`);
  expect(both).toHaveLength(1);
  expect(both[0]).toMatch(/Mona Manager.*Imani Mushi/);
});

test("a date range includes its first and its last day", async () => {
  const target = await aUser(gatehouse);
  const day = Date.UTC(2026, 0, 15);
  for (const moment of [day - 1, day, day + DAY_MS - 1, day + DAY_MS]) {
    await anEvent({ target_id: target.id, action: "user.banned", created_at: moment });
  }
  const search = `target=${target.id}&action=user.banned`;

  expect(await rowsOf(`${search}&from=2026-01-15&to=2026-01-15`)).toHaveLength(2);
  expect(await rowsOf(`${search}&from=2026-01-15`)).toHaveLength(3);
  expect(await rowsOf(`${search}&to=2026-01-15`)).toHaveLength(3);
});

test("user and organization pages link to their events; the filter shows a name and a link that removes it", async () => {
  const person = await aUser(gatehouse, { name: "Rania الخطيب" });
  const { organization } = await anOrganization(gatehouse, { name: "Daraja" });
  const pages = [
    { path: `/manager/users/${person.id}`, param: "target", name: "Rania الخطيب" },
    {
      path: `/manager/users/${person.id}?tab=activity&side=by`,
      param: "actor",
      name: "Rania الخطيب",
    },
    { path: `/manager/organizations/${organization.id}`, param: "target", name: "Daraja" },
  ];

  for (const { path, param, name } of pages) {
    const id = /[^/?]+(?=\?|$)/.exec(path)?.[0];
    const link = `${AUDIT}?${param}=${id}`;
    expect(await (await manager.get(path)).text()).toContain(`href="${link}"`);
    const page = await (await manager.get(`${link}&action=user.created&after=x`)).text();
    const label = param === "actor" ? "By" : "About";
    const remove = readPage(page).linkTo(new RegExp(`^Remove.*${label}`));
    expect(remove).toBe(`${AUDIT}?action=user.created`);
    expect(readText(page)).toContain(`${label}: ${name}`);
    // The forms of the other filters keep this one.
    expect(valuesOf(page, param)).toContain(id);
  }
});

test("changes are listed field by field, without internal columns", async () => {
  const target = await aUser(gatehouse);
  const fields = { name: "Grace <b>Hopper</b>", email: target.email, role: "user", version: "1" };
  await manager.submit(`/manager/users/${target.id}/update`, fields);
  const gone = await aUser(gatehouse, { name: "Gone" });
  await manager.submit(`/manager/users/${gone.id}`, { intent: "delete" });

  const [updated = ""] = await rowsOf(`target=${target.id}`);
  expect(updated).toContain("Name: Amina Yusuf changed to Grace <b>Hopper</b>");
  expect(updated).not.toMatch(/Email:|[{}"]/);
  const [deleted = ""] = await rowsOf(`target=${gone.id}`);
  expect(deleted).toContain(`${gone.id} (deleted)`);
  expect(deleted).not.toMatch(/searchKey|version/);
  const [, line] = await exportOf(`target=${target.id}`);
  expect(line).toContain("name: Amina Yusuf → Grace <b>Hopper</b>");
  expect(line).toContain(`${admin.email},,user,${target.email}`);
});

test("a row opens to the whole event as JSON, with links to its actor and target", async () => {
  const target = await aUser(gatehouse, { name: "Zola Were" });
  await anEvent({ target_id: target.id, details: JSON.stringify({ reason: "<b>Spam</b>" }) });

  const page = await (await manager.get(`${AUDIT}?target=${target.id}&actor=${admin.id}`)).text();
  const text = readPage(page).document.querySelector("pre")?.textContent ?? "";
  expect(JSON.parse(text)).toMatchObject({
    action: "user.updated",
    actor: { type: "user", id: admin.id, email: admin.email },
    target: { type: "user", id: target.id, name: "Zola Were" },
    details: { reason: "<b>Spam</b>" },
  });
  expect(readPage(page).linkTo("Open Zola Were")).toBe(`/manager/users/${target.id}`);
});

test("an event shows location, IP address and device, for sign-ins and other actions", async () => {
  const headers = { "mf-cf-blob": JSON.stringify({ city: "Nairobi", country: "KE" }) };
  const user = await aUser(gatehouse);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, user.email);
  const code = await gatehouse.mailbox.codeFor(user.email);
  const verify = `/login/verify?${new URLSearchParams({ email: user.email })}`;
  await browser.submit(verify, { intent: "verify", code }, { headers });
  const fields = { name: "Neema Kamau", email: user.email, role: "user", version: "1" };
  await manager.submit(`/manager/users/${user.id}/update`, fields, { headers });

  for (const action of ["user.signed_in", "user.updated"]) {
    const search = `target=${user.id}&action=${action}`;
    expect((await rowsOf(search))[0]).toMatch(
      / Location: Nairobi, Kenya IP address: 198\.18\.\d+\.\d+ Device: Firefox on Linux\s*$/,
    );
    expect((await exportOf(search))[1]).toMatch(
      /,"Nairobi, KE",198\.18\.\d+\.\d+,"Firefox, Linux",/,
    );
  }
});

test("a deleted actor or target is shown by its recorded name, or by its id", async () => {
  const gone = crypto.randomUUID();
  const nameless = crypto.randomUUID();
  await anEvent({ target_id: gone, details: JSON.stringify({ before: { name: "Théo Girard" } }) });
  await anEvent({ actor_id: nameless, target_type: null, target_id: null });

  expect((await rowsOf(`target=${gone}`))[0]).toContain("Théo Girard (deleted)");
  expect((await rowsOf(`actor=${nameless}`))[0]).toContain(`${nameless} (deleted)`);
  expect(readText(await (await manager.get(`${AUDIT}?target=${gone}`)).text())).toContain(
    "About: Théo Girard",
  );
});

test.each([
  ["actor=Ada+Lovelace", "One of the filters"],
  ["target=%25%27%22", "One of the filters"],
  [`actor=${"x".repeat(65)}`, "One of the filters"],
  ["action=user.exploded", "One of the filters"],
  ["from=yesterday", "That date"],
  ["to=2026-02-31", "That date"],
])("%s is ignored with a notice", async (search, what) => {
  const { status, text } = await openList(manager, `${AUDIT}?${search}`);

  expect(status).toBe(200);
  expect(text).toMatch(new RegExp(`${what} is not valid, so it was ignored`));
  expect(text).toMatch(/Showing \d+ of/);
  expect((await exportOf(search)).length).toBeGreaterThan(1);
});

test("empty filters of a form are ignored without a notice", async () => {
  const { text } = await openList(manager, `${AUDIT}?actor=&target=&action=&from=&to=`);

  expect(text).not.toContain("ignored");
});

test("walking a long list by its cursor shows every event of an actor once", async () => {
  const actor = await aUser(gatehouse);
  const other = await aUser(gatehouse);
  const now = Date.now();
  await gatehouse.d1.batch(
    Array.from({ length: 230 }, (_, index) =>
      eventStatement({
        // Every third event is impersonated, and many share a time.
        actor_id: index % 3 ? actor.id : other.id,
        impersonator_id: index % 3 ? null : actor.id,
        created_at: now - (index % 4) * 1_000,
        details: JSON.stringify({ reason: `Reason ${index}.` }),
      }),
    ),
  );
  const seen: string[] = [];

  for (let next: string | undefined = `${AUDIT}?actor=${actor.id}&action=user.updated`; next; ) {
    const { text, more } = await openList(manager, `${next}&pages=10`);
    seen.push(...(text.match(/Reason: Reason \d+\./g) ?? []));
    next = more;
  }

  expect(seen).toHaveLength(230);
  expect(new Set(seen).size).toBe(230);
  expect(await exportOf(`actor=${actor.id}&action=user.updated`)).toHaveLength(1 + 230);
});

test("every filter is answered from an index, in at most two round trips", async () => {
  for (const search of [
    "",
    "?actor=a1",
    "?actor=a@b.example",
    "?target=t1",
    "?searchTerm=a@b.example",
    "?searchTerm=a1",
    "?searchTerm=a@b.example&target=t1&action=user.banned&from=2026-01-01",
    "?searchTerm=a1&actor=a@b.example",
    "?actor=a@b.example&target=t1&action=user.banned&from=2026-01-01&to=2026-02-01",
    "?action=user.banned",
    "?action=user.signed_in",
    "?action=user.banned&from=2026-01-01",
    "?from=2026-01-01&to=2026-02-01",
  ]) {
    const url = new URL(`http://list${search}`);
    const shown = await plansOf(gatehouse, (db) => loadAuditLog(db, url, { now: new Date() }));
    const exported = await plansOf(gatehouse, (db) =>
      events.export(db, url, { now: new Date() }).rows.next(),
    );
    // The table is in the order of time and most events are sign-ins: reading stops after a page, or after 1,001 rows.
    const isCommon = ["", "?action=user.signed_in"].includes(search);
    const reads = wholeTableReads([...shown, ...exported]).filter(
      (line) => !isCommon || !/^SCAN audit_event\b/.test(line),
    );
    expect([search, reads]).toEqual([search, []]);
    const { headers } = await manager.get(AUDIT + search);
    expect(Number(headers.get("x-d1-calls"))).toBeLessThanOrEqual(2);
  }
});
