import { afterAll, expect, test } from "vitest";
import { type Browser, newBrowser } from "../support/client.ts";
import { inTurn } from "../support/matrix.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

const ROLES = ["anonymous", "newcomer", "user", "admin", "banned"] as const;
type Role = (typeof ROLES)[number];

/** A status, or the target of a redirect. */
type Outcome = number | string;
type Row = { read: Record<Role, Outcome>; write: Record<Role, Outcome> };

/** A URL that answers every role alike. Bodies are empty here, so an action that runs answers 400 or 415. */
function open(read: Outcome, write: Outcome): Row {
  const all = (outcome: Outcome) => ({
    anonymous: outcome,
    newcomer: outcome,
    user: outcome,
    admin: outcome,
    banned: outcome,
  });
  return { read: all(read), write: all(write) };
}

/** A sign-in screen; signed-in users are redirected to their first page. */
function signInScreen(read: Outcome, write: Outcome): Row {
  const away = { newcomer: "/app", user: "/app", admin: "/manager/dashboard" };
  return {
    read: { anonymous: read, banned: read, ...away },
    write: { anonymous: write, banned: write, ...away },
  };
}

/** A screen for signed-in users with a name; `read` and `write` are the outcomes for these. */
function guarded(
  read: Record<"user" | "admin", Outcome>,
  write: Record<"user" | "admin", Outcome>,
): Row {
  const refused = {
    anonymous: "/login?redirect=HERE",
    banned: "/login?redirect=HERE",
    newcomer: "/onboarding?redirect=HERE",
  };
  return { read: { ...refused, ...read }, write: { ...refused, ...write } };
}

function appScreen(read: Outcome, write: Outcome): Row {
  return guarded({ user: read, admin: read }, { user: write, admin: write });
}

function managerScreen(read: Outcome, write: Outcome): Row {
  return guarded({ user: 403, admin: read }, { user: 403, admin: write });
}

/** The outcome of every URL in `routes.ts` for each role. No row has the `:id` used here. */
const TABLE: Record<string, Row> = {
  "/": open("/login", 405),
  "/login": signInScreen(200, 415),
  "/login/verify": signInScreen("/login", "/login"),
  "/login/error": signInScreen(200, 405),
  "/login/waiting-list": signInScreen("/login", "/login"),
  "/onboarding": {
    read: {
      anonymous: "/login",
      banned: "/login",
      newcomer: 200,
      user: "/app",
      admin: "/manager/dashboard",
    },
    write: {
      anonymous: "/login",
      banned: "/login",
      newcomer: 415,
      user: "/app",
      admin: "/manager/dashboard",
    },
  },
  "/restore": {
    read: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
    write: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
  },
  "/terms": {
    read: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
    write: {
      anonymous: "/login",
      banned: "/login",
      newcomer: "/app",
      user: "/app",
      admin: "/manager/dashboard",
    },
  },

  "/app": appScreen(200, 405),
  "/app/repositories": appScreen(200, 405),
  "/app/repositories/:id": appScreen(404, 405),
  "/app/organizations": appScreen(200, 405),
  "/app/organizations/new": appScreen(200, 415),
  "/app/organizations/:slug": appScreen(404, 405),
  "/app/organizations/:slug/members": appScreen(404, 415),
  "/app/organizations/:slug/teams": appScreen(404, 415),
  "/app/organizations/:slug/teams/:team": appScreen(404, 415),
  "/app/organizations/:slug/invitations": appScreen(404, 415),
  "/app/organizations/:slug/repositories": appScreen(404, 415),
  "/app/organizations/:slug/settings": appScreen(404, 415),
  "/app/organizations/:slug/logo": appScreen(404, 415),
  "/app/active-organization": appScreen("/app", 415),
  "/app/notices": appScreen(200, 415),
  "/app/account": appScreen(200, 415),
  "/app/account/confirm": appScreen(200, 415),
  "/app/account/picture": appScreen(200, 415),
  "/app/account/data": appScreen(200, 405),
  "/app/account/delete": appScreen(200, 415),
  "/app/*": appScreen(404, 404),

  "/manager": managerScreen("/manager/dashboard", 405),
  "/manager/passkey": guarded(
    { user: 403, admin: "/manager/dashboard" },
    { user: 405, admin: 405 },
  ),
  "/manager/dashboard": managerScreen(200, 405),
  "/manager/users": managerScreen(200, 415),
  "/manager/users/new": managerScreen(200, 415),
  "/manager/users/:id": managerScreen(404, 415),
  "/manager/users/:id/update": managerScreen(404, 404),
  "/manager/users/export": managerScreen(200, 405),
  "/manager/audit": managerScreen(200, 405),
  "/manager/audit/export": managerScreen(200, 405),
  "/manager/mail": managerScreen(200, 415),
  "/manager/system": managerScreen(200, 405),
  "/manager/settings": managerScreen("/manager/settings/access", 405),
  "/manager/settings/access": managerScreen(200, 415),
  "/manager/settings/waiting-list": managerScreen(200, 415),
  "/manager/settings/roles": managerScreen(200, 415),
  "/manager/repositories/export": managerScreen(200, 405),
  "/manager/notices": managerScreen(200, 415),
  "/manager/account": managerScreen(200, 415),
  "/manager/account/confirm": managerScreen(200, 415),
  "/manager/account/picture": managerScreen(200, 415),
  "/manager/account/data": managerScreen(200, 405),
  "/manager/account/delete": managerScreen(200, 415),
  "/manager/*": managerScreen(404, 404),
  "/manager/organizations": managerScreen(200, 405),
  "/manager/organizations/new": managerScreen(200, 415),
  "/manager/organizations/:id": managerScreen(404, 415),
  "/manager/organizations/export": managerScreen(200, 405),
  "/manager/repositories": managerScreen(200, 415),
  "/manager/repositories/new": managerScreen(200, 415),
  "/manager/repositories/:id": managerScreen(404, 415),
  "/manager/repositories/:id/update": managerScreen(404, 404),

  "/invitations/:id": {
    read: { ...open(404, 404).read, newcomer: "/onboarding?redirect=HERE" },
    write: {
      anonymous: "/login?redirect=HERE",
      banned: "/login?redirect=HERE",
      newcomer: "/onboarding?redirect=HERE",
      user: 415,
      admin: 415,
    },
  },
  "/avatars/:id": open(404, 405),
  "/logos/:file": open(404, 405),
  "/preferences": open("/", 415),
  "/saved-views": appScreen("/", 415),
  "/stop-impersonating": open("/", "/"),
  "/api/auth/*": open(404, 404),
  "/api/webhooks/resend": open(405, 404),
  "/_server/:id": open(404, 404),
  "/dev/inbox": open(404, 405),
  "/dev/mails": open(404, 405),
  "/dev/ui": open(404, 405),
  "/health": open(200, 405),
  "/ready": open(200, 405),
  "/robots.txt": open(200, 405),
  "/.well-known/security.txt": open(404, 405),
  "/*": open(404, 404),

  // Last, because it ends the sessions that the other tests use.
  "/sign-out": open("/", "/login"),
};
/** URLs that answer POST only. */
const POST_ONLY = ["/_server/:id", "/api/webhooks/resend"];

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: ofAdmin } = await anAdmin(gatehouse);
const browsers = await signInEveryRole();

async function signInEveryRole(): Promise<Record<Role, Browser>> {
  const { user, browser: banned } = await aSignedInUser(gatehouse);
  await gatehouse.d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(user.id).run();
  return {
    anonymous: newBrowser(gatehouse),
    newcomer: (await aSignedInUser(gatehouse, { onboarded_at: null })).browser,
    user: (await aSignedInUser(gatehouse)).browser,
    admin: ofAdmin,
    banned,
  };
}

const urls = listUrls();

/**
 * Reads all rows of all tables, except the last visits, their counts and the audit log, in which exports are recorded.
 */
async function readEverything(): Promise<Record<string, unknown[]>> {
  const { results: tables } = await gatehouse.d1
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%STRICT%' AND name NOT IN ('audit_event', 'counter', 'day_count')",
    )
    .all<{ name: string }>();
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const { results } = await gatehouse.d1.prepare(`SELECT * FROM ${name}`).all();
      return [
        name,
        results.map(({ first_seen_at: _first, last_seen_at: _last, kind: _kind, ...row }) => row),
      ] as const;
    }),
  );
  return Object.fromEntries(contents);
}

test("reads change nothing, at any URL and for any role", async () => {
  // A user's first visit is written after the response, with its counts; more visits within the hour are not written.
  for (const role of ROLES) await (await browsers[role].get("/app")).arrayBuffer();
  const seen = gatehouse.d1.prepare(
    "SELECT count(*) AS n FROM user WHERE last_seen_at IS NOT NULL",
  );
  await expect.poll(() => seen.first<number>("n"), { timeout: 10_000 }).toBe(3);
  const before = await readEverything();
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["user", "session", "mail_outbox"]));

  for (const [row, { pattern }] of urls.entries()) {
    const path = pattern.replace(/:\w+|\*/g, "nothing-has-this");
    for (const [column, role] of ROLES.entries()) {
      for (const url of inTurn([path, `${path === "/" ? "/_" : path}.data`], row + column)) {
        await (await browsers[role].get(url)).arrayBuffer();
      }
    }
  }

  expect(await readEverything()).toEqual(before);
});

test("no data of a screen holds tokens, secrets or search keys", async () => {
  for (const { pattern, isScreen } of urls) {
    if (!isScreen) continue;
    const path = pattern.replace("/users/:id", `/users/${admin.id}`).replace(/:\w+|\*/g, "x");
    const data = await (await browsers.admin.get(`${path}.data`)).text();
    const cookie = browsers.admin.cookies.get("gatehouse.session_token") ?? "-";
    expect(data).not.toContain(decodeURIComponent(cookie).split(".")[0]);
    expect(data).not.toMatch(
      /"(token|payload|searchKey|search_key|password|accessToken|refreshToken|idToken|nameKey)"/,
    );
  }
});

test("the table has every URL of the product, and no other", () => {
  expect(urls.map(({ pattern }) => pattern).sort()).toEqual(Object.keys(TABLE).sort());
});

for (const [index, [pattern, row]] of Object.entries(TABLE).entries()) {
  const path = pattern.replace(/:\w+|\*/g, "nothing-has-this");
  const routeIds = urls.find((url) => url.pattern === pattern)?.routeIds ?? [];

  test.each(ROLES)(`${pattern} answers %s as the table says, by every method`, async (role) => {
    const browser = browsers[role];
    const read = row.read[role];
    const write = row.write[role];
    const here = encodeURIComponent(path);
    const expected = (outcome: Outcome) =>
      typeof outcome === "string" ? outcome.replace("HERE", here) : outcome;
    const other = POST_ONLY.includes(pattern) ? 405 : expected(write);
    const turn = index + ROLES.indexOf(role);

    expect(await ask(browser, path, "GET")).toBe(expected(read));
    expect(await ask(browser, path, "POST")).toBe(expected(write));
    for (const method of inTurn(["HEAD", "PUT", "PATCH", "DELETE"], turn)) {
      const outcome = method === "HEAD" ? expected(read) : other;
      expect([method, await ask(browser, path, method)]).toEqual([method, outcome]);
    }
    for (const kind of inTurn(["data", "data of the screen alone", "data POST"], turn)) {
      const method = kind === "data POST" ? "POST" : "GET";
      const outcome = kind === "data POST" ? write : read;
      const routeId = kind === "data of the screen alone" ? routeIds.at(-1) : undefined;
      const answer = await askData(browser, path, method, outcome, routeId);
      expect([kind, answer]).toEqual([kind, expected(outcome)]);
    }
  });

  if (!/^\/(app|manager)\b/.test(pattern)) continue;

  test(`the layouts of ${pattern} refuse a request for their data alone`, async () => {
    for (const [column, role] of ROLES.entries()) {
      const outcome = row.read[role];
      const isRefused = outcome === 403 || String(outcome).endsWith("HERE");
      if (!isRefused) continue;
      for (const id of inTurn(routeIds, index + column)) {
        const answer = await askData(browsers[role], path, "GET", outcome, id);
        expect([role, id, answer]).toEqual([
          role,
          id,
          typeof outcome === "string" ? outcome.replace("HERE", encodeURIComponent(path)) : 403,
        ]);
      }
    }
  });
}

async function ask(browser: Browser, path: string, method: string): Promise<Outcome> {
  const response = await browser.request(path, { method });
  await response.arrayBuffer();
  return response.headers.get("location") ?? response.status;
}

/** Returns the outcome of a client-side navigation: a redirect is a 202 with its target in the data. */
async function askData(
  browser: Browser,
  path: string,
  method: string,
  expected: Outcome,
  routeId?: string,
): Promise<Outcome> {
  const search = routeId ? `?_routes=${encodeURIComponent(routeId)}` : "";
  const response = await browser.request(`${path === "/" ? "/_" : path}.data${search}`, { method });
  const body = await response.text();
  if (response.status !== 202 || typeof expected !== "string") return response.status;
  const location = expected.replace("HERE", encodeURIComponent(path));
  return body.includes(JSON.stringify(location)) ? location : body;
}
