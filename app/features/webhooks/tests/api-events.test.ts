import { afterAll, expect } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { aProgram } from "../../../../tests/support/program.ts";
import { aProgramKey, programTest as test } from "../../../../tests/support/program-keys.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { EVENT_API } from "../events-api.ts";
import { someEvents } from "./receiver.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const permissions = { audit: ["read"] };
const { user: admin, browser } = await anAdmin(gatehouse);
const secret = await aProgramKey(gatehouse, admin, { permissions });

type Line = { id: string; type: string | null; action: string; cursor: string; data: object };

/** Reads a page of the stream. */
async function read(search: string): Promise<Line[]> {
  const answer = await aProgram(gatehouse, secret)("GET", `/events?${search}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, NDJSON]);
  const lines = String(answer.body).split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => {
    const event = JSON.parse(line);
    expect(EVENT_API.listEvents.answer.body.parse(event)).toEqual(event);
    return event;
  });
}

const NDJSON = "application/x-ndjson";
const HOUR_AGO = Date.now() - 3_600_000;

test("pages follow each other without gaps or repeats, also where many events have one time", async () => {
  const spread = await someEvents(gatehouse, 30, { created_at: HOUR_AGO });
  const later = (
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        someEvents(gatehouse, 1, { created_at: HOUR_AGO + 1 + index }),
      ),
    )
  ).flat();

  const seen: string[] = [];
  let after = "";
  for (;;) {
    const lines = await read(`limit=7${after && `&after=${after}`}`);
    seen.push(...lines.map(({ id }) => id));
    if (lines.length < 7) break;
    after = lines.at(-1)?.cursor ?? "";
  }

  const ours = seen.filter((id) => spread.includes(id) || later.includes(id));
  expect(ours).toEqual([...spread.toSorted(), ...later]);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a line is the event of a webhook, with what the audit log shows besides", async () => {
  const [id = ""] = await someEvents(gatehouse, 1, {
    action: "user.banned",
    created_at: HOUR_AGO + 100,
    details: '{"reason":"Spam"}',
  });
  await someEvents(gatehouse, 1, { action: "settings.changed", created_at: HOUR_AGO + 101 });

  const [event] = await read("action=user.banned");
  expect(event).toEqual({
    id,
    type: "user.banned",
    timestamp: new Date(HOUR_AGO + 100).toISOString(),
    data: {
      actor: { id: "someone" },
      impersonator: null,
      ipAddress: "192.0.2.7",
      target: { type: "user", id: "someone" },
      ids: { user: "someone" },
      changes: { reason: { after: "Spam" } },
    },
    action: "user.banned",
    userAgent: null,
    location: null,
    requestId: null,
    cursor: `${HOUR_AGO + 100}.${id}`,
  });
  expect((await read("action=settings.changed")).map(({ type }) => type)).toEqual([null]);
});

test("an event comes once no other can come before it", async () => {
  const [id = ""] = await someEvents(gatehouse, 1, { created_at: Date.now() - 30_000 });
  const ids = async () => (await read("limit=500")).map((line) => line.id);
  expect(await ids()).not.toContain(id);

  const [settled = ""] = await someEvents(gatehouse, 1, { created_at: Date.now() - 61_000 });
  expect(await ids()).toContain(settled);
});

test.each(["limit=0", "limit=501", "limit=x", "after=x", "action=user.flown"])(
  "%s is refused",
  async (search) => {
    const answer = await aProgram(gatehouse, secret)("GET", `/events?${search}`);
    expect([answer.status, answer.body.code]).toEqual([400, "INVALID_PAYLOAD"]);
  },
);

test("only a key with the permission, of a person who may read the log, reads the stream", async () => {
  const statusOf = async (key: string | undefined) =>
    (await aProgram(gatehouse, key)("GET", "/events")).status;
  const keyOf = async (role: string) =>
    aProgramKey(gatehouse, await aUser(gatehouse, { role }), { permissions });
  const without = await aProgramKey(gatehouse, admin, { permissions: { repository: ["read"] } });

  expect(await statusOf(undefined)).toBe(401);
  expect(await statusOf(await keyOf("user"))).toBe(403);
  expect(await statusOf(await keyOf("support"))).toBe(403);
  expect(await statusOf(without)).toBe(403);
  expect(await statusOf(await keyOf("auditor"))).toBe(200);
  expect((await browser.get("/api/v1/events")).status).toBe(401);
  expect((await newBrowser(gatehouse).get("/api/v1/events")).status).toBe(401);
});

test("the permission is offered to readers of the log, and is not chosen by itself", async () => {
  const scopeOn = async (one: ReturnType<typeof newBrowser>, area: string) => {
    const page = await (await one.get(`/${area}/account/keys?state=new`)).text();
    return /<input[^>]*value="audit\.read"[^>]*>/.exec(page)?.[0];
  };
  const { browser: plain } = await aSignedInUser(gatehouse);

  expect(await scopeOn(browser, "manager")).toBeDefined();
  expect(await scopeOn(browser, "manager")).not.toContain("checked");
  expect(await scopeOn(plain, "app")).toBeUndefined();
});

test("a page reads about as many rows as it shows, whatever the action", async () => {
  await someEvents(gatehouse, 2_000, { created_at: HOUR_AGO + 200 });
  const rowsRead = async (search: string) => {
    const answer = await aProgram(gatehouse, secret)("GET", `/events?limit=50&${search}`);
    return Number(answer.headers.get("x-d1-rows-read"));
  };

  expect(await rowsRead("")).toBeLessThan(150);
  expect(await rowsRead("action=user.created")).toBeLessThan(200);
  expect(await rowsRead(`after=${HOUR_AGO + 200}.0&action=user.created`)).toBeLessThan(200);
});
