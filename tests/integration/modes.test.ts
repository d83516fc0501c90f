import { afterAll, expect, test } from "vitest";
import { ENDPOINTS } from "../../app/features/auth/gateway/endpoints.server.ts";
import { type Browser, locationOf, newBrowser } from "../support/client.ts";
import { clientEndpoints, openEndpoints } from "../support/endpoints.ts";
import { type Aim, everyForm, valuesFor, type World } from "../support/every-form.ts";
import {
  FEATURE_TESTS,
  featureTables,
  featureUrls,
  SUBJECTS,
  type Subject,
  tablesBelow,
} from "../support/feature-tests.ts";
import { formsOf } from "../support/form-fields.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, impersonate, newEmail } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { startGatehouse } from "../support/worker.ts";

// Modes close a part of the product: closed sign-up, a disabled organization, an impersonation. Each test
// sends a request to every endpoint. A new endpoint fails them until a line says what it changes.

const CORE_SUBJECTS: Record<Subject, readonly string[]> = {
  "a sign-in by code": [
    "/login",
    "/login/verify",
    "/sign-out",
    "/api/auth/email-otp/send-verification-otp",
    "/api/auth/sign-in/email-otp",
    "/api/auth/sign-out",
  ],
  "cookies alone": ["/preferences", "/app"],
  "another sign-in or proof": [
    "/stop-impersonating",
    "/api/auth/*",
    "/api/auth/admin/stop-impersonating",
    "/api/auth/email-otp/verify-email",
    "/api/auth/passkey/confirm-session",
    "/api/auth/passkey/verify-authentication",
    "/api/auth/sign-in/social",
  ],
  "the active organization of a session": ["/app/active-organization"],
  "the own account": [
    "/onboarding",
    "/restore",
    "/terms",
    ...["/app", "/manager"].flatMap((area) =>
      ["", "/confirm", "/delete", "/picture"].map((screen) => `${area}/account${screen}`),
    ),
    "/api/auth/delete-user",
    "/api/auth/link-social",
    "/api/auth/passkey/verify-registration",
    "/api/auth/revoke-other-sessions",
    "/api/auth/revoke-sessions",
  ],
  "an organization": [
    "/app/organizations/new",
    "/app/organizations/:slug/invitations",
    "/app/organizations/:slug/logo",
    "/app/organizations/:slug/members",
    "/app/organizations/:slug/settings",
    "/invitations/:id",
    "/invitations/links/:token",
  ],
  "the back-office": [
    "/manager/mail",
    "/manager/organizations/:id",
    "/manager/organizations/new",
    "/manager/settings/access",
    "/manager/settings/brand",
    "/manager/settings/security",
    "/manager/settings/system",
    "/manager/users",
    "/manager/users/:id",
    "/manager/users/:id/update",
    "/manager/users/new",
  ],
  "what programs and the mail provider change": ["/api/webhooks/resend"],
  nothing: ["/*", "/app/*", "/manager/*", "/_server/:id"],
};

const AUTH = "/api/auth";

/** False for the client's calls of a feature when nothing answers such calls. */
function isAnswered(endpoint: string): boolean {
  return !endpoint.startsWith(`${AUTH}/`) || Object.keys(clientEndpoints).length > 0;
}

/** Every endpoint that takes more than reading, by what it changes: the URLs of forms, and the calls of clients. */
function endpointsOf(subject: Subject): readonly string[] {
  return CORE_SUBJECTS[subject].concat(
    FEATURE_TESTS.flatMap(({ changes = {} }) => changes[subject] ?? []).filter(isAnswered),
  );
}

const ALL = SUBJECTS.flatMap(endpointsOf);
const calls = Object.keys(openEndpoints).filter((path) => openEndpoints[path] === "POST");

/** True when an endpoint changes one of these. */
function changes(endpoint: string, subjects: Subject[]): boolean {
  return subjects.some((subject) => endpointsOf(subject).includes(endpoint));
}

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;
/** The features' tables, and those with rows of an organization. */
const TABLES = FEATURE_TESTS.flatMap(({ tables = [] }) => tables);
const TABLES_OF_ORGANIZATIONS = await featureTables(d1, "organization_id");
/** The features' tables whose rows belong to one of such a table. */
const BELOW = await tablesBelow(d1, "organization_id");

test("every endpoint has a line that says what it changes", () => {
  const forms = listUrls().filter(({ takesForms }) => takesForms);
  const found = [...forms.map(({ pattern }) => pattern), ...calls.map((path) => AUTH + path)];

  expect(ALL.toSorted()).toEqual(found.toSorted());
});

/** Rows that a mode keeps, as one text. */
async function stateOf(queries: string[]): Promise<string> {
  const results = await d1.batch(queries.map((query) => d1.prepare(query)));
  return JSON.stringify(results.map(({ results: rows }) => rows));
}

/** Sends every form and every call, with values. Returns the endpoints after which the rows differ. */
async function findChanges(
  browser: Browser,
  world: World,
  aim: Aim,
  { queries, isLeftOut }: { queries: string[]; isLeftOut: (endpoint: string) => boolean },
): Promise<string[]> {
  const changed = new Set<string>();
  let before = await stateOf(queries);
  async function send(endpoint: string, request: () => Promise<Response>) {
    // No limit hides a change.
    await d1.exec("DELETE FROM rate_limit");
    await (await request()).arrayBuffer();
    const after = await stateOf(queries);
    if (after !== before) changed.add(endpoint);
    before = after;
  }
  const isAsked = (pattern: string) => !isLeftOut(pattern);
  for await (const { pattern, path, fields } of everyForm(d1, world, aim, isAsked)) {
    await send(pattern, () => browser.submit(path, fields));
  }
  for (const path of calls) {
    if (isLeftOut(AUTH + path)) continue;
    const endpoint = clientEndpoints[path] ?? ENDPOINTS[path];
    const [shape] = endpoint && "input" in endpoint ? formsOf(endpoint.input) : [];
    const values = await valuesFor(d1, world, aim, path);
    const body = Object.fromEntries((shape?.fields ?? []).map((name) => [name, values[name]]));
    await send(AUTH + path, () => browser.api(AUTH + path, body));
  }
  return [...changed];
}

/** An organization with everything in it, and its owner. */
async function aFullWorld(overrides = {}) {
  const owner = await aSignedInUser(gatehouse);
  const member = await aUser(gatehouse);
  const { organization, members, invitations } = await anOrganization(gatehouse, overrides, {
    owner: owner.user,
    members: [member],
    invitations: [{}],
  });
  const world: World = {
    organization,
    invitation: invitations[0]?.id ?? "",
    ids: await featureUrls(gatehouse, organization),
  };
  const aim = { user: member, email: newEmail(), role: "admin", member: members[1]?.id ?? "" };
  return { owner, world, aim };
}

const ORGANIZATION_ROWS = (id: string) => [
  `SELECT name, slug, logo, metadata, version, disabled_at, deletion_due_at FROM organization WHERE id = '${id}'`,
  `SELECT * FROM member WHERE organization_id = '${id}'`,
  `SELECT * FROM invitation WHERE organization_id = '${id}'`,
  ...TABLES_OF_ORGANIZATIONS.map((name) => `SELECT * FROM ${name} WHERE organization_id = '${id}'`),
  ...BELOW.map(
    ({ name, column, parent }) =>
      `SELECT * FROM ${name} WHERE ${column} IN (SELECT id FROM ${parent} WHERE organization_id = '${id}')`,
  ),
];

/** Ends the session that sends the requests. */
const isEnd = (endpoint: string) =>
  changes(endpoint, ["a sign-in by code"]) ||
  ["/revoke-sessions", "/delete-user"].some((path) => endpoint === AUTH + path) ||
  /^\/(app|manager)\/account$/.test(endpoint);

test("an owner of a disabled organization changes nothing of it", async () => {
  const { owner, world, aim } = await aFullWorld({ disabled_at: 1, disabled_reason: "Spam" });
  const queries = ORGANIZATION_ROWS(world.organization.id);

  expect(await findChanges(owner.browser, world, aim, { queries, isLeftOut: isEnd })).toEqual([]);
  expect((await owner.browser.get("/app")).status).toBe(200);
});

const CHANGED_BY_OWNER = ["members", "invitations", "settings"].map(
  (page) => `/app/organizations/:slug/${page}`,
);

test("the same requests change an organization that is not disabled", async () => {
  const { owner, world, aim } = await aFullWorld();
  const queries = ORGANIZATION_ROWS(world.organization.id);

  const changed = await findChanges(owner.browser, world, aim, { queries, isLeftOut: isEnd });

  const ofFeatures = FEATURE_TESTS.flatMap(({ changedByOwner = [] }) => changedByOwner);
  expect(changed.toSorted()).toEqual([...CHANGED_BY_OWNER, ...ofFeatures].toSorted());
  expect(changed.filter((endpoint) => !changes(endpoint, ["an organization"]))).toEqual([]);
});

test("a manager who impersonates a user changes nothing of theirs, and nothing else", async () => {
  const { browser } = await anAdmin(gatehouse);
  const { owner, world, aim } = await aFullWorld();
  const { id } = owner.user;
  await impersonate(browser, id);
  expect(locationOf(await browser.get("/manager"))).toBeUndefined();
  const queries = [
    ...ORGANIZATION_ROWS(world.organization.id),
    "SELECT id, name, email, role, banned, language, theme, avatar, version, deletion_due_at FROM user",
    `SELECT id FROM session WHERE user_id = '${id}' AND impersonated_by IS NULL`,
    "SELECT * FROM account",
    "SELECT * FROM passkey",
    "SELECT * FROM account_code",
    "SELECT * FROM organization",
    "SELECT * FROM site_setting",
    "SELECT * FROM brand",
    ...TABLES.map((name) => `SELECT * FROM ${name}`),
    "SELECT id, kind, recipient FROM mail_outbox",
  ];
  const isLeftOut = (endpoint: string) =>
    changes(endpoint, ["a sign-in by code", "another sign-in or proof"]);

  expect(await findChanges(browser, world, aim, { queries, isLeftOut })).toEqual([]);
  expect((await browser.get("/app")).status).toBe(200);
});

test.each(["closed", "invitation"])(
  "with sign-up %s no endpoint makes an account for an unknown e-mail, or sends it a code",
  async (mode) => {
    await d1.prepare("UPDATE site_setting SET sign_up_mode = ?").bind(mode).run();
    const { world, aim } = await aFullWorld();
    const stranger = newBrowser(gatehouse);
    const email = newEmail("stranger");
    const queries = [
      "SELECT id, email FROM user",
      "SELECT id FROM session",
      "SELECT id FROM account",
    ];

    const about = { ...aim, email };
    const changed = await findChanges(stranger, world, about, { queries, isLeftOut: () => false });
    await stranger.submit("/login", { intent: "email", email });
    await stranger.submit(`/login/verify?email=${email}`, { intent: "verify", code: "000000" });

    expect(changed).toEqual([]);
    expect(await stateOf([`SELECT id FROM user WHERE email = '${email}'`])).toBe("[[]]");
    const mails = `SELECT kind FROM mail_outbox WHERE recipient = '${email}'`;
    expect(await stateOf([mails])).toBe("[[]]");
  },
);
