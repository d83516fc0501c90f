import { afterAll, expect, test } from "vitest";
import { newBrowser, readText } from "../../../../tests/support/client.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { findAll, readPage, textOf } from "../../../../tests/support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  newEmail,
  wrongCode,
} from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import { FIGURES } from "../../access/things.ts";

const DASHBOARD = "/manager/dashboard";
const DAY_MS = 86_400_000;
const SLOT_MS = 900_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
gatehouse.expectErrors("mail.failed");
const { browser: manager } = await anAdmin(gatehouse);

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** The first and the last moment of the day so many days ago. */
const startOf = (daysAgo: number) => today - daysAgo * DAY_MS;
const endOf = (daysAgo: number) => startOf(daysAgo) + DAY_MS - 1;

// One user at each end of every period, to find off-by-one errors.
for (const days of [7, 30]) {
  for (const moment of [startOf(days - 1), endOf(days), startOf(2 * days - 1), endOf(2 * days)]) {
    await aUser(gatehouse, { created_at: moment, last_seen_at: moment });
  }
}
await aUser(gatehouse, { created_at: 1, last_seen_at: today });
await aUser(gatehouse, { created_at: 1, last_seen_at: today - 1 });
await aUser(gatehouse, { created_at: 1, banned: 1 });
await aUser(gatehouse, { created_at: 1, banned: 1, ban_expires: Date.now() + DAY_MS });
await aUser(gatehouse, { created_at: 1, banned: 1, ban_expires: Date.now() - DAY_MS });
await aUser(gatehouse, { created_at: 1, name: "", onboarded_at: null });
await aUser(gatehouse, { created_at: 1, name: "", onboarded_at: null, banned: 1 });
await gatehouse.d1.batch(
  [
    ["sent", startOf(0)],
    ["sent", startOf(0) - 1],
    ["failed", startOf(0)],
    ["failed", startOf(3)],
    ["waiting", startOf(5)],
  ].map(([state, moment], index) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO mail_outbox (id, kind, recipient, language, state, next_try_at, expires_at, created_at) VALUES (?, 'login-code', 'x@example.com', 'en', ?, ?, 9e14, ?)",
      )
      .bind(`mail-${index}`, state, 9e14, moment),
  ),
);
await gatehouse.d1.batch(
  [startOf(0), startOf(1), endOf(1), startOf(29), endOf(30)].map((moment, index) =>
    gatehouse.d1
      .prepare("INSERT INTO audit_event (id, action, created_at) VALUES (?, 'user.signed_in', ?)")
      .bind(`sign-in-${index}`, moment),
  ),
);
// One failed mail, and one wrong code, for which a manager can do nothing.
gatehouse.mailbox.answerNext({
  status: 422,
  body: { statusCode: 422, name: "validation_error", message: "No" },
});
await askForCode(newBrowser(gatehouse), newEmail());
await gatehouse.logged("mail.failed");
const guesser = newEmail();
const browser = newBrowser(gatehouse);
await askForCode(browser, guesser);
await enterCode(browser, guesser, wrongCode(await gatehouse.mailbox.codeFor(guesser)));

/** A figure with the URL of its list. */
type Shown = { text: string; value: number; to: string };

/**
 * Returns the figures of the cards, their notes after the name of the card, and what needs
 * attention, by their texts without numbers.
 */
async function readFigures(): Promise<Map<string, Shown>> {
  const { document } = readPage(await (await manager.get(DASHBOARD)).text());
  const cards = [...document.querySelectorAll("dl > div")].map((card): [string, Shown] => {
    const [label, figure] = ["dt", "dd"].map((part) => textOf(card.querySelector(part)));
    const to = findAll(card, "link")[0]?.getAttribute("href") ?? "";
    return [label ?? "", { text: textOf(card), value: numberIn(figure ?? ""), to }];
  });
  const others = [...document.querySelectorAll("dd a, h2 + ul > li")].flatMap(
    (item): [string, Shown][] => {
      const link = item.matches("a") ? item : item.querySelector("a");
      const to = link?.getAttribute("href") ?? "";
      if (to.startsWith("/manager/settings/system")) return [];
      const text = textOf(item);
      const label = textOf(item.closest("dl > div")?.querySelector("dt") ?? null);
      const name = `${label} ${text.replace(/[^a-z 0-9]/gi, "").replace(/^\d+ /, "")}`.trim();
      return [[name, { text, value: numberIn(text), to }]];
    },
  );
  return new Map([...cards, ...others]);
}

function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0]);
}

async function totalBehind(path: string): Promise<number> {
  const { status, text } = await openList(manager, path);
  expect([path, status]).toEqual([path, 200]);
  expect(text).not.toContain("ignored");
  return Number(
    /Showing \d+ of (\d+)/.exec(text)?.[1] ?? (text.includes("No Data") ? 0 : Number.NaN),
  );
}

// The manager's own visit is written after a response, so it counts from the next request on.
while (
  !(await gatehouse.d1
    .prepare("SELECT 1 FROM user WHERE role = 'admin' AND last_seen_at IS NOT NULL")
    .first())
) {
  await manager.get(DASHBOARD);
}
const figures = await readFigures();

test.each([
  // The manager counts as a user of today and as active today; asking for a code makes no user.
  ["Users", 16],
  ["Users in 7 days", 2],
  ["Active today", 2],
  ["Active today this week", 4],
  ["Active today this month", 8],
  ["Sign-ins today", 2],
  ["codes could not be sent today", 2],
  ["email queued", 1],
  ["emails could not be sent", 3],
])("%s is %i, and so is the total of its list", async (name, expected) => {
  const figure = figures.get(name);

  expect(figure?.value).toBe(expected);
  expect(await totalBehind(figure?.to ?? "")).toBe(expected);
});

const CARDS_OF_FEATURES = Object.values(FIGURES).map((figure) =>
  figure ? translationsIn("en")(figure.label) : "",
);

test("organizations are a note of the first card of a feature, or have a card, which leads to their list", () => {
  const [first] = CARDS_OF_FEATURES;
  const figure = figures.get(first ? `${first} organizations` : "Organizations");

  expect([figure?.value, figure?.to]).toEqual([0, "/manager/organizations"]);
});

test("these tests cover every figure, and wrong codes are none that a manager can do something about", () => {
  // Cards, what was added to each, and organizations.
  expect(figures.size).toBe(9 + (2 * CARDS_OF_FEATURES.length || 1) + 1);
});

test("each card compares its figure with the period before, as far as that is known", () => {
  // Only the first moment of the period before counts; its last one is later in the day than now.
  expect(figures.get("Users")?.text).toContain("+100% 1 in the 7 days before");
  expect(figures.get("Sign-ins today")?.text).toContain("+100% 1 by this time yesterday");
  expect(figures.get("Active today")?.text).toContain("No earlier figure");
});

test("what was added to the things of a feature in 7 days stands beside the 7 days before", async () => {
  const actions = Object.values(FIGURES).flatMap((figure) => (figure ? [figure.added] : []));
  const action = actions[0] ?? "organization.created";
  const label = CARDS_OF_FEATURES[0] ?? "Organizations";
  const week = 7 * DAY_MS;
  const moments = [startOf(6), startOf(6) + 1, startOf(0), startOf(13), endOf(7) + 1 - DAY_MS];
  await insertRows(
    gatehouse.d1,
    "audit_event",
    [...moments, startOf(13) - 1, Date.now() - week + 60_000].map((created_at, index) => ({
      id: `added-${index}`,
      action,
      created_at,
    })),
  );

  const card = (await readFigures()).get(label);
  const note = (await readFigures()).get(`${label} in 7 days`);

  expect(card?.text).toContain("+3 in 7 days");
  expect(card?.text).toContain("2 in the 7 days before");
  expect(await totalBehind(note?.to ?? "")).toBe(3);
});

test("nothing that is zero needs attention", async () => {
  await using quiet = await startGatehouse();
  const { browser } = await anAdmin(quiet);
  const { browser: support } = await aSignedInUser(quiet, { role: "support" });
  const cards = "Sign-ins today 2";
  expect(readText(await (await browser.get(DASHBOARD)).text())).toContain(cards);
  const attentionOf = async (reader: typeof browser) => {
    const { document } = readPage(await (await reader.get(DASHBOARD)).text());
    const headings = [...document.querySelectorAll("h2")];
    return textOf(headings.find((one) => textOf(one) === "Needs attention")?.parentElement ?? null);
  };

  // Who may not read the system page is not told what is not set up.
  expect(await attentionOf(support)).toBe("Needs attention Nothing needs your attention");
  expect(await attentionOf(browser)).toBe("Needs attention Nothing needs your attention");
});

test("the screen shows the last eight events and a link to the audit log", async () => {
  const page = readPage(await (await manager.get(DASHBOARD)).text());
  const events = [...page.document.querySelectorAll("ol > li")].map(textOf);

  expect(events).toHaveLength(8);
  expect(events.join(" ")).toMatch(/Signed in.*Mona Manager/);
  expect(page.linkTo("See all")).toBe("/manager/audit");
});

test("a change to a user changes the figures at once", async () => {
  const before = await readFigures();
  const { id } = await aUser(gatehouse, { created_at: 1, name: "", onboarded_at: null });
  const figureNow = async (name: string) => (await readFigures()).get(name)?.value ?? Number.NaN;

  const change = (set: string) =>
    gatehouse.d1.prepare(`UPDATE user SET ${set} WHERE id = ?`).bind(id).run();
  await change(`last_seen_at = ${Date.now()}`);
  expect(await figureNow("Active today")).toBe((before.get("Active today")?.value ?? 0) + 1);
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(id).run();
  expect([...(await readFigures())].map(([, { value }]) => value)).toEqual(
    [...before].map(([, { value }]) => value),
  );
});

test("a sign-in by code is told in the same moment as the mail that has not left", async () => {
  const figureNow = async (name: string) => (await readFigures()).get(name)?.value ?? 0;
  const [signIns, waiting] = [await figureNow("Sign-ins today"), await figureNow("email queued")];
  await gatehouse.d1.exec(
    `INSERT INTO audit_event (id, action, created_at) VALUES ('fresh', 'user.signed_in', ${startOf(0)})`,
  );
  await gatehouse.d1.exec("UPDATE mail_outbox SET state = 'sent' WHERE state = 'waiting'");

  expect(await figureNow("Sign-ins today")).toBe(signIns + 1);
  expect([waiting, await figureNow("email queued")]).toEqual([1, 0]);
});

test("the cron deletes counts that nothing shows", async () => {
  const oldest = () =>
    gatehouse.d1.prepare("SELECT min(slot) AS slot FROM slot_count").first<number>("slot");
  await gatehouse.runHourly(new Date(Date.now() + DAY_MS));

  expect(await oldest()).toBeGreaterThan((today - 100 * DAY_MS) / SLOT_MS);
});

test("recent activity keeps a target and its actor apart in each language", async () => {
  const [actor, target] = [await aUser(gatehouse), await aUser(gatehouse)];
  await insertRows(gatehouse.d1, "audit_event", [
    {
      id: crypto.randomUUID(),
      action: "user.updated",
      actor_id: actor.id,
      target_type: "user",
      target_id: target.id,
      created_at: Date.now(),
    },
  ]);

  for (const language of LANGUAGES) {
    const headers = { "accept-language": language };
    const text = readText(await (await manager.get(DASHBOARD, { headers })).text());
    const by = translationsIn(language)("logs:audit.as", { name: actor.name });
    expect([language, text]).toEqual([language, expect.stringContaining(`${target.name} · ${by}`)]);
  }
});
