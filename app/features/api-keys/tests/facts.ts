import {
  appScreen,
  closed,
  managerScreen,
  open,
  PROGRAM_CALL,
} from "../../../../tests/support/access-rows.ts";
import { newBrowser } from "../../../../tests/support/client.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { aProgram } from "../../../../tests/support/program.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { KEY_ACTS, OWN_KEY_ACTS } from "../acts.ts";
import { CLIENT_ANSWERS, ClientRefusalBody } from "../docs/client-answers.ts";
import { COMMON_API_ERRORS } from "../docs/common-errors.ts";
import { apiKeyForm, RevokeForm } from "../input.ts";
import { aKey, ORGANIZATION_SCOPES, someCalls } from "./api-keys.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const OWN = "/app/account/keys";
const OF_MANAGER = "/manager/account/keys";
const OF_ORGANIZATION = "/app/organizations/:slug/keys";
const OF_USER = "/manager/users/:id/keys";
const ONE_OWN = `${OWN}/:key`;
const ONE_OF_MANAGER = `${OF_MANAGER}/:key`;
const ONE_OF_ORGANIZATION = `${OF_ORGANIZATION}/:key`;
const NOBODY = "nobody-has-this";
const ARABIC = { name: "مفتاح", start: "1234" };

type Ids = {
  slug: string;
  ownKey: string;
  revokedKey: string;
  sharedKey: string;
  adminKey: string;
};

export const facts = {
  access: {
    [OWN]: appScreen(200, 415, {
      read: { impersonated: "/app/account" },
      write: {
        impersonated: OWN,
        "passkey to confirm": "/app/account/confirm?next=HERE&passkey=",
        "passkey to add": "/manager/passkey?next=HERE",
      },
    }),
    [OF_MANAGER]: managerScreen(200, 415),
    [ONE_OWN]: appScreen(404, 405, { read: { impersonated: "/app/account" } }),
    [ONE_OF_MANAGER]: managerScreen(404, 405),
    [ONE_OF_ORGANIZATION]: appScreen(404, 405),
    [OF_ORGANIZATION]: appScreen(404, 415, closed("/app/organizations/nothing-has-this/keys")),
    [OF_USER]: managerScreen("/manager/users/nothing-has-this?tab=sessions", 415, {
      write: { auditor: 403 },
    }),
    "/api/docs": open(200, 405),
    "/api/docs.md": open(200, 405),
    "/api/openapi.json": open(200, 405),
    "/api/v1/*": open(404, 404),
    "/api/v1/me": PROGRAM_CALL,
  },
  managers: {
    [OF_MANAGER]: ["admin", "support", "auditor"],
    [ONE_OF_MANAGER]: ["admin", "support", "auditor"],
    [OF_USER]: ["admin", "support", "auditor"],
  },
  forms: {
    [OWN]: apiKeyForm([]),
    [OF_MANAGER]: apiKeyForm([]),
    [OF_ORGANIZATION]: apiKeyForm([]),
    [OF_USER]: RevokeForm,
    // For keys alone, which no session of a browser is.
    "/api/v1/*": [],
    "/api/v1/me": [],
  },
  fields: () => ({ scope: "user.ban", days: "30" }),
  acts: {
    [OF_USER]: [[KEY_ACTS["revoke-key"], { key: NOBODY }]],
    [OF_ORGANIZATION]: [
      [
        OWN_KEY_ACTS["create-key"],
        { intent: "create-key", name: "Key", scope: "repository.read", days: "7" },
      ],
      [OWN_KEY_ACTS["rotate-key"], { intent: "rotate-key", key: NOBODY }],
      [OWN_KEY_ACTS["revoke-key"], { intent: "revoke-key", key: NOBODY }],
    ],
  },
  leftBehind: { "user:revoke-key": "Nothing.", "own:revoke-key": "Nothing." },
  changes: {
    "the own account": [OWN, OF_MANAGER],
    "an organization": [OF_ORGANIZATION],
    "the back-office": [OF_USER],
    nothing: ["/api/v1/*", "/api/v1/me"],
  },
  tables: ["api_key", "api_call"],
  async urls(gatehouse, organization, owner): Promise<Record<string, string>> {
    const own = owner && (await aKey(gatehouse, owner)).row.id;
    const shared = organization && (await aKeyOf(gatehouse, organization));
    return {
      ...(own && { "/account/keys/:key": own }),
      ...(shared && { "/keys/:key": shared }),
    };
  },
  async seed(gatehouse, { organization: { id, slug }, owner, admin }): Promise<Ids> {
    const now = Date.now();
    const { row: own } = await aKey(gatehouse, owner, {
      name: "مفتاح النشر · Deploy",
      last_request: now - HOUR_MS,
    });
    await someCalls(gatehouse, own, now);
    await aKey(gatehouse, owner, { name: "Old script", expires_at: now - DAY_MS });
    const { row: revoked } = await aKey(gatehouse, owner, { name: "Leaked", ...revokedBy(owner) });
    await someCalls(gatehouse, revoked, now);
    const { row: shared } = await aKey(gatehouse, owner, {
      name: "Nightly import",
      organization_id: id,
      permissions: ORGANIZATION_SCOPES,
    });
    const { row: ofAdmin } = await aKey(gatehouse, admin);
    return {
      slug,
      ownKey: own.id,
      revokedKey: revoked.id,
      sharedKey: shared.id,
      adminKey: ofAdmin.id,
    };
  },
  screens: [
    ...screensOf<Ids>("anyone", { "api-docs": "/api/docs" }),
    ...screensOf<Ids>("owner", {
      "organization-keys": ({ slug }) => `/app/organizations/${slug}/keys`,
      "api-keys": OWN,
      "api-key": ({ ownKey }) => `${OWN}/${ownKey}`,
      "revoked-api-key": ({ revokedKey }) => `${OWN}/${revokedKey}`,
      "unused-api-key": ({ slug, sharedKey }) => `/app/organizations/${slug}/keys/${sharedKey}`,
    }),
    ...screensOf<Ids>("admin", {
      "manager-keys": OF_MANAGER,
      "manager-key": ({ adminKey }) => `${OF_MANAGER}/${adminKey}`,
      "new-api-key": `${OF_MANAGER}?state=new`,
    }),
  ],
  async translated({ gatehouse, organization, manager, ofManager, ofUser }) {
    const ofAll = await aKeyOf(gatehouse, organization);
    const owner = await ownerOf(gatehouse, organization);
    const ofSelf = await aKey(gatehouse, owner, ARABIC);
    await aKey(gatehouse, owner, { ...ARABIC, ...revokedBy(manager) });
    const ofManagers = await aKey(gatehouse, manager, { ...ARABIC, ...revokedBy(manager) });
    const ofOrganization = `/app/organizations/${organization.slug}/keys`;
    return [
      ["app, keys of an organization", ofUser, (browser) => browser.get(ofOrganization)],
      ["app, account, keys", ofUser, (browser) => browser.get(OWN)],
      ["app, account, a new key", ofUser, (browser) => browser.get(`${OWN}?state=new`)],
      ["manager, account, a new key", ofManager, (b) => b.get(`${OF_MANAGER}?state=new`)],
      ["app, a key", ofUser, (browser) => browser.get(`${OWN}/${ofSelf.row.id}`)],
      ["app, a key of an organization", ofUser, (b) => b.get(`${ofOrganization}/${ofAll}`)],
      ["manager, a key", ofManager, (b) => b.get(`${OF_MANAGER}/${ofManagers.row.id}`)],
      ["calls for programs", newBrowser(gatehouse), (browser) => browser.get("/api/docs")],
    ];
  },
  limits: {
    nobodyElse: {
      "API_KEY_LIMITS.calls": "Counted for each key, after it is known to be one.",
      "API_KEY_LIMITS.made": "Only the user's own new keys use it up.",
    },
  },
  personal: ["api_key", "api_call", "idempotent_answer"],
  async know(insert, { id, at, key }) {
    await insert("api_key", {
      id: key("api-key"),
      user_id: id,
      name: "Script",
      start: "gh_12345",
      key: key("api"),
      permissions: '{"repository":["read"]}',
      expires_at: at + 60_000,
      created_at: at,
    });
    await insert("api_call", {
      api_key_id: key("api-key"),
      day: Math.floor(at / DAY_MS),
      slot: 0,
      number: 1,
      refused: 0,
      at,
      status: 200,
      method: "GET",
      path: "/api/v1/repositories",
      request_id: key("request"),
    });
    await insert("idempotent_answer", {
      app_id: key("app"),
      user_id: id,
      idempotency_key: key("idempotency"),
      request_hash: key("hash"),
      answer: '{"name":"Thing"}',
      created_at: at,
    });
  },
  leftOpen: {
    async leave(gatehouse, { user, organization }) {
      const { secret: apiKey } = await aKey(gatehouse, user);
      const { secret: companyKey } = await aKey(gatehouse, user, {
        organization_id: organization.id,
        permissions: ORGANIZATION_SCOPES,
      });
      return { apiKey, companyKey };
    },
    probes: {
      "an API key": {
        works: (gatehouse, { apiKey }) => reads(gatehouse, apiKey),
        endsBy: ["a ban", "the grace period of a deletion", "the erasure of the account"],
      },
      "a manager's change by an API key": {
        async works(gatehouse, { apiKey }) {
          const name = `repository-${crypto.randomUUID()}`;
          const body = { name, link: "https://example.com/r", description: "" };
          const program = aProgram(gatehouse, apiKey);
          return (await program("POST", "/repositories", { body })).status === 201;
        },
        endsBy: [
          "a ban",
          "a demotion",
          "a demotion, and the role once more",
          "the grace period of a deletion",
          "the erasure of the account",
        ],
      },
      "the organization's API key": {
        works: (gatehouse, { companyKey }) => reads(gatehouse, companyKey),
        endsBy: [
          "a ban",
          "a removal from the organization",
          "a demotion in the organization",
          "the grace period of a deletion",
          "the erasure of the account",
        ],
      },
    },
  },
  key: async (gatehouse, user, { permissions, organizationId }) => {
    const given = { permissions, organization_id: organizationId ?? null };
    return (await aKey(gatehouse, user, given)).secret;
  },
  answers: { ofCalls: CLIENT_ANSWERS, refusal: ClientRefusalBody, errors: COMMON_API_ERRORS },
} satisfies FeatureTests<Ids>;

/** The columns of a key that someone has just revoked. */
function revokedBy({ id }: { id: string }) {
  const now = Date.now();
  return { expires_at: now, revoked_at: now, revoked_by: id };
}

async function reads(gatehouse: Gatehouse, key: string | undefined): Promise<boolean> {
  return (await aProgram(gatehouse, key)("GET", "/repositories")).status === 200;
}

/** Makes a key of an organization, and returns its id. */
async function aKeyOf(gatehouse: Gatehouse, organization: { id: string }): Promise<string> {
  const owner = await ownerOf(gatehouse, organization);
  const { row } = await aKey(gatehouse, owner, {
    organization_id: organization.id,
    permissions: ORGANIZATION_SCOPES,
    ...ARABIC,
  });
  return row.id;
}

/** Returns who owns an organization. */
async function ownerOf(gatehouse: Gatehouse, { id }: { id: string }): Promise<{ id: string }> {
  const owner = await gatehouse.d1
    .prepare("SELECT user_id AS id FROM member WHERE organization_id = ? AND role = 'owner'")
    .bind(id)
    .first<{ id: string }>();
  if (!owner) throw new Error(`The organization ${id} has no owner`);
  return owner;
}
