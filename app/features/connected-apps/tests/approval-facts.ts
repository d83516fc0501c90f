import { appScreen, managerScreen } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { ApprovalForm } from "../input.ts";
import { type AppRow, anApp } from "./apps.ts";
import { ownerOf } from "./own-facts.ts";

const APPS = "/app/account/apps";
const APPROVAL = `${APPS}/approvals/:approval`;
const OF_MANAGER = "/manager/account/apps";
const MANAGED = `${OF_MANAGER}/approvals/:approval`;

type Ids = { approval: string; managersApproval: string };

/** Inserts a call of an app that waits for a user. Returns its id. */
export async function anApproval(
  { d1 }: Pick<Gatehouse, "d1">,
  app: Pick<AppRow, "client_id">,
  user: { id: string },
  overrides: Record<string, string | number | null> = {},
): Promise<string> {
  const [id, now] = [crypto.randomUUID(), Date.now()];
  await insertRows(d1, "oauth_approval", [
    {
      id,
      client_id: app.client_id,
      user_id: user.id,
      call_hash: id,
      scope: "audit.read",
      method: "DELETE",
      path: "/api/v1/things/01",
      body: null,
      title: "شيء · Thing",
      status: "pending",
      created_at: now,
      expires_at: now + 600_000,
      ...overrides,
    },
  ]);
  return id;
}

/** A call of an app that waits for its user. */
export const approvalFacts = {
  access: {
    [APPROVAL]: appScreen(APPS, 415, {
      read: { impersonated: "/app/account" },
      write: { impersonated: `${APPS}/approvals/nothing-has-this` },
    }),
    [MANAGED]: managerScreen(OF_MANAGER, 415),
  },
  managers: { [MANAGED]: ["admin", "support", "auditor"] },
  forms: { [APPROVAL]: ApprovalForm, [MANAGED]: ApprovalForm },
  changes: { "the own account": [APPROVAL, MANAGED] },
  tables: ["oauth_approval"],
  async seed(gatehouse, { admin, owner }): Promise<Ids> {
    const app = await anApp(gatehouse, { name: "مساعد · Assistant" });
    // A look at all screens takes longer than ten minutes.
    const late = { expires_at: Date.now() + 86_400_000, body: '{\n  "name": "Thing"\n}' };
    return {
      approval: await anApproval(gatehouse, app, owner, late),
      managersApproval: await anApproval(gatehouse, app, admin, { ...late, title: null }),
    };
  },
  screens: [
    ...screensOf<Ids>("owner", { approval: ({ approval }) => `${APPS}/approvals/${approval}` }),
    ...screensOf<Ids>("admin", {
      "managers-approval": ({ managersApproval }) => `${OF_MANAGER}/approvals/${managersApproval}`,
    }),
  ],
  async translated({ gatehouse, organization, manager, ofManager, ofUser }) {
    const app = await anApp(gatehouse, { name: "مساعد" });
    const owner = await ownerOf(gatehouse, organization);
    const title = { title: "شيء" };
    const ofAdmin = await anApproval(gatehouse, app, manager, title);
    const ofOwner = await anApproval(gatehouse, app, owner, title);
    return [
      ["app, a call to approve", ofUser, (browser) => browser.get(`${APPS}/approvals/${ofOwner}`)],
      ["app, calls that wait", ofUser, (browser) => browser.get("/app")],
      [
        "manager, a call to approve",
        ofManager,
        (browser) => browser.get(`${OF_MANAGER}/approvals/${ofAdmin}`),
      ],
    ];
  },
  personal: ["oauth_approval"],
  async know(insert, { id, at, key }) {
    await insert("oauth_approval", {
      id: key("approval"),
      client_id: key("client-id"),
      user_id: id,
      call_hash: key("approved-call"),
      scope: "audit.read",
      method: "DELETE",
      path: "/api/v1/things/01",
      body: '{"name":"Thing"}',
      title: "Thing",
      status: "pending",
      created_at: at,
      expires_at: at + 600_000,
    });
  },
} satisfies FeatureTests<Ids>;
