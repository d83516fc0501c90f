import { afterAll, expect, test } from "vitest";
import type { Browser } from "../../../../tests/support/client.ts";
import { newBrowser } from "../../../../tests/support/client.ts";
import {
  FEATURE_TESTS,
  featureUrls,
  type OrganizationCall,
} from "../../../../tests/support/feature-tests.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin, aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;

const ROLES = ["owner", "admin", "member", "foreign", "none", "out"] as const;
type Role = (typeof ROLES)[number];

const SECRET = "Secret Project";
const unknown = crypto.randomUUID();
const [owner, admin, member, foreign, none] = (await Promise.all(
  Array.from({ length: 5 }, () => aSignedInUser(gatehouse)),
)) as [Signed, Signed, Signed, Signed, Signed];
type Signed = Awaited<ReturnType<typeof aSignedInUser>>;
const invited = await aUser(gatehouse);
const made = await anOrganization(
  gatehouse,
  { name: SECRET },
  {
    owner: owner.user,
    admins: [admin.user],
    members: [member.user],
    invitations: [{ email: invited.email }],
  },
);
await anOrganization(gatehouse, {}, { owner: foreign.user });
const organizationId = made.organization.id;
const organizationSlug = made.organization.slug;
const ids = await featureUrls(gatehouse, made.organization);
const invitationId = made.invitations[0]?.id ?? "";
const memberId = made.members[2]?.id ?? "";

const BROWSERS: Record<Role, Browser> = {
  owner: owner.browser,
  admin: admin.browser,
  member: member.browser,
  foreign: foreign.browser,
  none: none.browser,
  out: newBrowser(gatehouse),
};

type Row = OrganizationCall;

const EVERYONE = ["owner", "admin", "member"] as const;
const MANAGERS = ["owner", "admin"] as const;
/** The calls of features. */
const OF_FEATURES = FEATURE_TESTS.flatMap(
  ({ organizationCalls }) => organizationCalls?.(ids, unknown) ?? [],
);

/** Endpoints that name an organization. Inputs change nothing: what they name does not exist, or is as it was. */
const ROWS: Row[] = [
  { path: "update", input: (id) => ({ organizationId: id, data: {} }), open: MANAGERS },
  { path: "set-active", input: (id) => ({ organizationId: id }), open: EVERYONE },
  { path: "set-active", input: (_id, slug) => ({ organizationSlug: slug }), open: EVERYONE },
  {
    path: "get-full-organization",
    input: (id) => ({ organizationId: id }),
    isGet: true,
    open: EVERYONE,
  },
  {
    path: "get-full-organization",
    input: (_id, slug) => ({ organizationSlug: slug }),
    isGet: true,
    open: EVERYONE,
  },
  {
    path: "has-permission",
    input: (id) => ({ organizationId: id, permissions: { ac: ["read"] } }),
    open: EVERYONE,
  },
  {
    path: "list-invitations",
    input: (id) => ({ organizationId: id }),
    isGet: true,
    open: MANAGERS,
  },
  { path: "list-members", input: (id) => ({ organizationId: id }), isGet: true, open: EVERYONE },
  {
    path: "list-members",
    input: (_id, slug) => ({ organizationSlug: slug }),
    isGet: true,
    open: EVERYONE,
  },
  {
    path: "get-active-member-role",
    input: (id) => ({ organizationId: id }),
    isGet: true,
    open: EVERYONE,
  },
  {
    path: "get-active-member-role",
    input: (_id, slug) => ({ organizationSlug: slug }),
    isGet: true,
    open: EVERYONE,
  },
  {
    path: "update-member-role",
    input: (id) => ({ organizationId: id, memberId, role: "member" }),
    open: MANAGERS,
  },
  {
    path: "remove-member",
    input: (id) => ({ organizationId: id, memberIdOrEmail: unknown }),
    open: [],
  },
  ...OF_FEATURES,
  {
    path: "invite-member",
    input: (id) => ({ organizationId: id, email: invited.email, role: "member" }),
    open: [],
  },
  { path: "leave", input: (id) => ({ organizationId: id }), open: ["member"] },
  { path: "delete", input: (id) => ({ organizationId: id }), open: ["owner"] },
];

async function send(browser: Browser, { path, input, isGet }: Row, id: string, slug: string) {
  const url = `/api/auth/organization/${path}`;
  const given = input(id, slug);
  const response = isGet
    ? await browser.get(`${url}?${new URLSearchParams(given as Record<string, string>)}`)
    : await browser.api(url, given);
  return { status: response.status, body: await response.text() };
}

const CASES = ROWS.flatMap((row) => ROLES.map((role) => ({ row, role }))).map((one) => ({
  ...one,
  name: `${one.row.path} with ${Object.keys(one.row.input("", "")).join(" and ")}`,
}));
// The endpoints that end a membership or the organization come last.
const isEnding = ({ row }: (typeof CASES)[number]) => ["leave", "delete"].includes(row.path);

test.each(CASES.filter((one) => !isEnding(one)))("$name for $role", async ({ row, role }) => {
  const { status, body } = await send(BROWSERS[role], row, organizationId, organizationSlug);

  if (role === "out") {
    expect([status, body]).toEqual([401, expect.stringContaining('"UNAUTHORIZED"')]);
    return;
  }
  if (row.open.length > 0) expect([body, status === 200]).toEqual([body, row.open.includes(role)]);
  expect(status).toBeLessThan(500);
  if (["foreign", "none"].includes(role)) {
    // The same answer as for an organization that does not exist.
    expect(await send(BROWSERS[role], row, unknown, "no-such-slug")).toEqual({ status, body });
    expect(body).not.toContain(SECRET);
  }
});

test.each(CASES.filter(isEnding))("$name for $role", async ({ row, role }) => {
  const { status, body } = await send(BROWSERS[role], row, organizationId, organizationSlug);

  if (role === "out") expect(status).toBe(401);
  else if (["foreign", "none"].includes(role)) {
    expect(await send(BROWSERS[role], row, unknown, "no-such-slug")).toEqual({ status, body });
    expect(status).toBe(400);
  } else if (row.path === "leave" && role === "admin") expect(status).toBe(200);
  else if (row.path === "delete" && role !== "owner") expect(status).toBeGreaterThanOrEqual(400);
  else expect(status === 200).toBe(row.open.includes(role));
});

test.each(["foreign", "none"] as const)("nothing else of it answers to %s", async (role) => {
  const browser = BROWSERS[role];
  for (const [path, known, other] of [
    ["cancel-invitation", { invitationId }, { invitationId: unknown }],
  ] as const) {
    const url = `/api/auth/organization/${path}`;
    const ask = async (input: Record<string, string>) => {
      const answer = path.startsWith("list")
        ? await browser.get(`${url}?${new URLSearchParams(input)}`)
        : await browser.api(url, input);
      return [answer.status, await answer.text()];
    };
    expect(await ask(known)).toEqual(await ask(other));
    expect((await ask(known))[0]).toBe(400);
  }
});

test("nothing changed for those who were refused", async () => {
  const { results } = await d1
    .prepare("SELECT DISTINCT action FROM audit_event WHERE target_id = ? ORDER BY action")
    .bind(organizationId)
    .all<{ action: string }>();

  const actions = results.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["member.left", "organization.deletion_started"]));
  const changes = ["member.joined", "member.removed", ...OF_FEATURES.map(({ never }) => never)];
  expect(actions.filter((action) => changes.includes(action))).toEqual([]);
});

test("a manager who impersonates a user reads, and changes nothing", async () => {
  const { user } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const { user: manager, browser } = await anAdmin(gatehouse);
  await d1
    .prepare("UPDATE session SET user_id = ?, impersonated_by = ? WHERE user_id = ?")
    .bind(user.id, manager.id, manager.id)
    .run();

  const listed = await browser.get("/api/auth/organization/list");
  expect(await listed.json()).toMatchObject([{ id: organization.id }]);
  for (const row of ROWS.filter(({ isGet, path }) => !isGet && path !== "has-permission")) {
    const { status, body } = await send(browser, row, organization.id, organization.slug);
    expect([row.path, status, body]).toEqual([
      row.path,
      403,
      expect.stringContaining('"CLOSED_WHILE_IMPERSONATING"'),
    ]);
  }
});

test.each([
  ["in the grace period", { deletion_due_at: Date.now() + 1e8 }, "ACCOUNT_BEING_DELETED"],
  ["without a name", { name: "", onboarded_at: null }, "NOT_ONBOARDED"],
])("a user %s is refused", async (_who, overrides, code) => {
  const { browser } = await aSignedInUser(gatehouse, overrides);

  const response = await browser.get("/api/auth/organization/list");

  expect([response.status, await response.json()]).toMatchObject([403, { code }]);
});

test("a disabled organization can be read and left, and not changed", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(
    gatehouse,
    { disabled_at: 1, disabled_reason: "Spam" },
    { admins: [user] },
  );
  const row = (path: string) => ROWS.filter((one) => one.path === path)[0] as Row;

  for (const [path, expected] of [
    ["get-full-organization", 200],
    ["list-members", 200],
    ["invite-member", 403],
    ["update", 403],
    ["leave", 200],
  ] as const) {
    const { status } = await send(browser, row(path), organization.id, organization.slug);
    expect([path, status]).toEqual([path, expected]);
  }
});

test("a body that is too large, of another type or malformed is refused", async () => {
  const url = "/api/auth/organization/create";
  const post = async (body: string, type = "application/json") => {
    const headers = { "content-type": type };
    return (await owner.browser.request(url, { method: "POST", body, headers })).status;
  };

  expect(await post(`{"name": "${"x".repeat(20_000)}"}`)).toBe(413);
  expect(await post("name=x", "application/x-www-form-urlencoded")).toBe(415);
  expect(await post("{")).toBe(400);
});
