import { afterAll, expect, test } from "vitest";
import {
  accessibleError,
  locationOf,
  readText,
  toastOf,
} from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { changesOf, userPath } from "../../../../tests/support/users.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { MAX_METADATA, MAX_NOTES } from "../limits.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

function notesOf({ id }: { id: string }): string {
  return `${userPath(id)}/notes`;
}

async function rowsOf<Row>(columns: string, table: string, { id }: { id: string }) {
  const { results } = await gatehouse.d1
    .prepare(`SELECT ${columns} FROM ${table} WHERE user_id = ?`)
    .bind(id)
    .all<Row>();
  return results;
}

test("a note is shown on the user's page with its author, recorded without its text, and removed", async () => {
  const person = await aUser(gatehouse);

  const added = await manager.submit(notesOf(person), {
    intent: "add-note",
    text: "Called back.\nWants an invoice.",
  });
  expect(locationOf(added)).toBe(notesOf(person));
  expect(await toastOf(manager, added)).toBe("Note added.");
  const page = readText(await (await manager.get(userPath(person.id))).text());
  expect(page).toContain("Called back.");
  expect(page).toContain(admin.name);

  const [note] = await rowsOf<{ id: string }>("id", "user_note", person);
  await manager.submit(notesOf(person), { intent: "remove-note", note: note?.id ?? "" });
  expect(await rowsOf("id", "user_note", person)).toEqual([]);
  const events = await changesOf(gatehouse, person.id);
  expect(events.map(({ action }) => action)).toEqual(["note.added", "note.removed"]);
  expect(JSON.stringify(events)).not.toContain("invoice");
});

test("an empty note, a name with spaces and an empty value are told beside their fields, and what was typed stays", async () => {
  const person = await aUser(gatehouse);

  const empty = await manager.submit(notesOf(person), { intent: "add-note", text: " \n" });
  expect(empty.status).toBe(400);
  expect(accessibleError(await empty.text(), "text")).toBe("Write a note first");
  const spaces = await manager.submit(notesOf(person), {
    intent: "set-metadata",
    name: "crm id",
    value: "4711",
  });
  const page = await spaces.text();
  expect(accessibleError(page, "name")).toContain("Use letters a to z");
  expect(page).toContain('value="crm id"');
  const nothing = await manager.submit(notesOf(person), { intent: "set-metadata", name: "crm_id" });
  expect(accessibleError(await nothing.text(), "value")).toBe("Required");
  expect(await rowsOf("name", "user_metadata", person)).toEqual([]);
});

test("a value is changed only if it is the one that the manager saw, and a refused form keeps what was typed", async () => {
  const person = await aUser(gatehouse);
  const set = (fields: Record<string, string>) =>
    manager.submit(notesOf(person), { intent: "set-metadata", name: "crm_id", ...fields });

  await set({ value: "1" });
  await set({ value: "2", was: "1" });
  const late = await set({ value: "3", was: "1" });
  expect(late.status).toBe(409);
  const page = await late.text();
  expect(accessibleError(page, "value")).toContain("Someone else has changed this value");
  expect(page).toContain('value="3"');
  expect(await rowsOf("value", "user_metadata", person)).toEqual([{ value: "2" }]);
  const again = await set({ value: "3", was: "2" });
  expect(again.status).toBe(302);

  await manager.submit(notesOf(person), {
    intent: "remove-metadata",
    removed: "crm_id",
  });
  const gone = await set({ value: "4", was: "3" });
  expect(accessibleError(await gone.text(), "value")).toContain("Someone else has removed");
  const events = await changesOf(gatehouse, person.id);
  expect(events.map(({ details }) => details)).toEqual([
    { name: "crm_id", after: { metadata: "1" } },
    { name: "crm_id", before: { metadata: "1" }, after: { metadata: "2" } },
    { name: "crm_id", before: { metadata: "2" }, after: { metadata: "3" } },
    { name: "crm_id", before: { metadata: "3" } },
  ]);
});

test("notes and values of a user are bounded, also when many are added at once", async () => {
  const person = await aUser(gatehouse);
  await insertRows(
    gatehouse.d1,
    "user_note",
    Array.from({ length: MAX_NOTES - 1 }, (_, at) => ({
      id: `${person.id}-${at}`,
      user_id: person.id,
      author_id: null,
      text: "Note",
      created_at: at,
    })),
  );

  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      manager.submit(notesOf(person), { intent: "add-note", text: "One more" }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400]);
  const names = Array.from({ length: MAX_METADATA + 3 }, (_, at) => `name_${at}`);
  for (const name of names) {
    await manager.submit(notesOf(person), { intent: "set-metadata", name, value: "x" });
  }
  expect(await rowsOf("name", "user_metadata", person)).toHaveLength(MAX_METADATA);
});

test("a note is removed on its own user's page only, and a missing user answers 404", async () => {
  const [one, other] = [await aUser(gatehouse), await aUser(gatehouse)];
  await manager.submit(notesOf(one), { intent: "add-note", text: "About one" });
  const [note] = await rowsOf<{ id: string }>("id", "user_note", one);

  await manager.submit(notesOf(other), { intent: "remove-note", note: note?.id ?? "" });
  expect(await rowsOf("id", "user_note", one)).toHaveLength(1);
  const missing = await manager.submit(notesOf({ id: "nobody" }), {
    intent: "add-note",
    text: "Nobody",
  });
  expect(missing.status).toBe(404);
});

test("people find what is written about them in the download of their own data, without the author", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  await manager.submit(notesOf(person), { intent: "add-note", text: "Called back." });
  await manager.submit(notesOf(person), {
    intent: "set-metadata",
    name: "crm_id",
    value: "4711",
  });

  const file: { notesAboutYou?: object[] } = JSON.parse(
    await (await browser.get("/app/account/data")).text(),
  );
  expect(file).toMatchObject({
    notesAboutYou: [{ text: "Called back." }],
    metadata: [{ name: "crm_id", value: "4711" }],
  });
  expect(JSON.stringify(file.notesAboutYou)).not.toContain(admin.id);
});
