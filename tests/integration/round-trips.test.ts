import { afterAll, expect, test } from "vitest";
import { COUNTED } from "../../app/db/schema/schema.ts";
import { THINGS } from "../../app/features/access/things.ts";
import { SLOT_MS } from "../../app/features/dashboard/days.ts";
import { ROW_BOUNDS } from "../../bench/bounds.ts";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { FEATURE_TESTS, featureUrls, withIds } from "../support/feature-tests.ts";
import { JOURNEYS, totalOf, walk } from "../support/journeys.ts";
import { startIdentityProvider } from "../support/oidc.ts";
import { anOrganization } from "../support/organizations.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  manyUsers,
  newEmail,
} from "../support/people.ts";
import { aPicture } from "../support/pictures.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

/** Rows that a page of an organization with 100 members and 100 invitations may read. */
const MOST_ROWS = 600;
const PICTURE = crypto.randomUUID();

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { user, browser: plain } = await aSignedInUser(gatehouse);
const anonymous = newBrowser(gatehouse);
const { organization: acme } = await anOrganization(
  gatehouse,
  { id: "o1", slug: "acme" },
  { owner: user, admins: [admin], invitations: [{}] },
);
/** The ids of things that the search leads to, which open as fast as users do. */
const ids = Object.fromEntries(
  Object.entries(await featureUrls(gatehouse, acme)).filter(([end]) =>
    Object.values(THINGS).some((thing) => thing?.to.endsWith(end)),
  ),
);
const offering = await anOrganization(gatehouse, {}, { invitations: [{ email: user.email }] });

// An isolate reads what the login page shows of the settings at most twice a minute, in one call.
const firstVisit = await anonymous.get("/login");

const paths = listUrls().map(({ pattern }) =>
  withIds(pattern, ids)
    .replace("/users/:id", `/users/${user.id}`)
    .replace("/manager/organizations/:id", "/manager/organizations/o1")
    .replace("/organizations/:slug", "/organizations/acme")
    .replace("/invitations/:id", `/invitations/${offering.invitations[0]?.id}`)
    .replace(/:\w+|\*/, "x"),
);

async function countTrips(browser: Browser, path: string): Promise<number> {
  const response = await browser.get(path);
  await response.arrayBuffer();
  expect([path, response.status]).not.toEqual([path, 500]);
  return Number(response.headers.get("x-d1-calls"));
}

/** Paths whose first query an anonymous visitor needs: a mailed invitation is shown before the sign-in. */
const OPEN = /^\/(ready|invitations\/.+)$/;

const OPEN_READS = FEATURE_TESTS.flatMap(({ openReads = [] }) => openReads);

test.each(paths.filter((path) => !OPEN.test(path) && !OPEN_READS.includes(path)))(
  "%s makes no database call for an anonymous visitor",
  async (path) => {
    expect(await countTrips(anonymous, path)).toBe(0);
  },
);

test.each(paths)("%s makes at most three database calls for a signed-in user", async (path) => {
  expect(await countTrips(plain, path)).toBeLessThanOrEqual(3);
  expect(await countTrips(manager, path)).toBeLessThanOrEqual(3);
});

test("the first login page of an isolate makes one database call", () => {
  expect(firstVisit.headers.get("x-d1-calls")).toBe("1");
});

test("a mailed invitation asks for itself and whether it opens an account, for an anonymous visitor", async () => {
  expect(await countTrips(anonymous, `/invitations/${offering.invitations[0]?.id}`)).toBe(2);
});

test("a page of a full organization reads a few rows for each member and invitation", async () => {
  const others = await manyUsers(
    gatehouse,
    Array.from({ length: 98 }, () => ({})),
  );
  const { organization: full } = await anOrganization(
    gatehouse,
    {},
    {
      owner: user,
      members: others,
      invitations: Array.from({ length: 100 }, () => ({})),
    },
  );
  const path = `/app/organizations/${full.slug}`;
  const rowsOf = async (part: string) => {
    const response = await plain.get(path + part);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    return Number(response.headers.get("x-d1-rows-read"));
  };

  const ofFeatures = FEATURE_TESTS.flatMap(({ access = {} }) =>
    Object.keys(access).flatMap(
      (url) => url.match(/^\/app\/organizations\/:slug(\/\w+)$/)?.[1] ?? [],
    ),
  );
  for (const part of ["", "/members", "/invitations", ...ofFeatures, "/settings"]) {
    const rows = await rowsOf(part);
    expect([part, rows, rows <= MOST_ROWS]).toEqual([part, rows, true]);
  }
});

test("the dashboard's rows stay in its budget when something happens in each slot", async () => {
  const now = Math.floor(Date.now() / SLOT_MS);
  for (const name of COUNTED) {
    await gatehouse.d1.exec(
      `INSERT OR IGNORE INTO slot_count (name, slot, value) WITH RECURSIVE slots(slot) AS (SELECT ${now} UNION ALL SELECT slot - 1 FROM slots LIMIT 9600) SELECT '${name}', slot, 1 FROM slots`,
    );
  }
  await gatehouse.runScheduled();

  const response = await manager.get("/manager/dashboard");
  await response.arrayBuffer();
  const rows = Number(response.headers.get("x-d1-rows-read"));
  expect([rows, rows > 5_000 && rows <= ROW_BOUNDS.dashboard]).toEqual([rows, true]);
});

/** Returns a picture's status, database calls and bucket reads. */
async function costOfPicture(browser: Browser, name: string, headers?: HeadersInit) {
  const { status, headers: answered } = await browser.get(`/avatars/${name}`, { headers });
  return [status, answered.get("x-d1-calls"), answered.get("x-r2-reads")];
}

test("a picture makes no database call, and one read of the bucket", async () => {
  await (await gatehouse.getBucket("AVATARS")).put(PICTURE, aPicture());

  for (const browser of [plain, manager]) {
    expect(await costOfPicture(browser, PICTURE)).toEqual([200, "0", "1"]);
  }
});

test("a picture's URL reads nothing for a browser without a valid session", async () => {
  await (await gatehouse.getBucket("AVATARS")).put(PICTURE, aPicture());
  const forged = { cookie: `gatehouse.session_token=${"x".repeat(32)}.${btoa("x".repeat(32))}` };

  for (const name of [PICTURE, crypto.randomUUID(), "x"]) {
    expect(await costOfPicture(anonymous, name)).toEqual([404, "0", "0"]);
    expect(await costOfPicture(anonymous, name, forged)).toEqual([404, "0", "0"]);
  }
});

test.each(JOURNEYS)("$name, within its round trips and rows", async ({ name, atMost }) => {
  await using provider = await startIdentityProvider();
  const adminEmail = newEmail("boss");
  await using house = await startGatehouse({
    vars: { ADMIN_EMAILS: adminEmail, ...provider.vars },
  });

  const { steps, rowsBySender } = await walk(name, { gatehouse: house, provider, adminEmail });

  expect(steps.at(-1)?.status).toBe(200);
  expect(totalOf(steps, "rounds")).toBeLessThanOrEqual(atMost.rounds);
  expect(totalOf(steps, "rowsWritten") + rowsBySender).toBeLessThanOrEqual(atMost.rowsWritten);
});

test("the right code leads directly to the first screen", async () => {
  await using house = await startGatehouse();
  const { email } = await aUser(house);
  const browser = newBrowser(house);
  await askForCode(browser, email);

  const entered = await enterCode(browser, email, await house.mailbox.codeFor(email));

  expect(locationOf(entered)).toBe("/app");
});

test.each(["passkey", "provider"] as const)(
  "a %s sign-in leads directly to the first screen",
  async (method) => {
    await using provider = await startIdentityProvider();
    await using house = await startGatehouse({ vars: provider.vars });
    const name = `a returning user signs in with a ${method}` as const;

    const setup = { gatehouse: house, provider, adminEmail: newEmail("boss") };
    const { steps } = await walk(name, setup);

    const paths = steps.map(({ path }) => path);
    expect(paths.slice(0, -2)).not.toContain("/app");
    expect(paths.at(-2)).toMatch(/^\/api\/auth\/(passkey\/verify-authentication|callback\/oidc)$/);
    expect(paths.at(-1)).toBe("/app");
  },
);
