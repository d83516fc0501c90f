import { afterAll, expect, test } from "vitest";
import {
  askForChange,
  askForDeletion,
  enterChangeCode,
  enterDeletionCode,
} from "../support/account.ts";
import { addPasskey, newAuthenticator, signInWithPasskey } from "../support/authenticator.ts";
import { locationOf, newBrowser } from "../support/client.ts";
import { ENDINGS, FEATURE_TESTS } from "../support/feature-tests.ts";
import { anInvitation, anOrganization } from "../support/organizations.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  impersonate,
  newEmail,
  openSession,
  signIn,
} from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

// What a person has left open, and what of it goes on working after a ban, a removal from an
// organization, a demotion, the removal of a passkey, and an account deletion.

const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1, mailbox } = gatehouse;

type Left = Awaited<ReturnType<typeof leaveOpen>>;

/** Makes an admin who has left everything open that a person can leave. */
async function leaveOpen() {
  await require(null);
  const { user, browser } = await anAdmin(gatehouse);
  const key = newAuthenticator({ origin: gatehouse.origin });
  expect((await addPasskey(browser, key)).status).toBe(200);

  const office = await anAdmin(gatehouse);
  const other = await aSignedInUser(gatehouse);
  const company = await anOrganization(
    gatehouse,
    {},
    { owner: other.user, admins: [user], invitations: [] },
  );
  await d1
    .prepare("UPDATE member SET role = 'owner' WHERE organization_id = ? AND user_id = ?")
    .bind(company.organization.id, user.id)
    .run();
  const own = { organization_id: company.organization.id, inviter_id: user.id };
  const invited = await aSignedInUser(gatehouse);
  const sent = await anInvitation(gatehouse, { ...own, email: invited.user.email });
  const host = await anOrganization(gatehouse);
  const received = await anInvitation(gatehouse, {
    organization_id: host.organization.id,
    inviter_id: host.ownerId,
    email: user.email,
  });
  await d1
    .prepare("UPDATE session SET active_organization_id = ? WHERE user_id = ?")
    .bind(company.organization.id, user.id)
    .run();

  const leaving = FEATURE_TESTS.map(({ leftOpen }) =>
    leftOpen?.leave(gatehouse, { user, organization: company.organization }),
  );
  const ofFeatures: Record<string, string> = Object.assign({}, ...(await Promise.all(leaving)));
  // The impersonation has a session of its own in another browser.
  const impersonator = newBrowser(gatehouse);
  await openSession(gatehouse, impersonator, user.id);
  const target = await aUser(gatehouse);
  expect(locationOf(await impersonate(impersonator, target.id))).toBe("/app");

  const newAddress = newEmail("wanted");
  await askForChange(browser, newAddress);
  const changeCode = await mailbox.codeFor(user.email);
  const asker = newBrowser(gatehouse);
  await askForCode(asker, user.email);
  const code = await mailbox.codeFor(user.email);
  const former = newBrowser(gatehouse);
  await signIn(gatehouse, former, user.email);
  for (const name of former.cookies.keys()) {
    if (!name.endsWith(".device")) former.cookies.delete(name);
  }
  return {
    user,
    browser,
    key,
    office,
    other,
    company,
    invited,
    sent,
    received,
    impersonator,
    newAddress,
    changeCode,
    asker,
    code,
    former,
    ofFeatures,
  };
}

/** Sets since when managers need a passkey. */
function require(since: number | null) {
  return d1.prepare("UPDATE site_setting SET manager_passkeys_since = ?").bind(since).run();
}

async function accepts(browser: Left["browser"], invitationId: string) {
  const answer = await browser.submit(`/invitations/${invitationId}`, { intent: "accept" });
  await answer.arrayBuffer();
  return locationOf(answer)?.startsWith("/app/organizations/") === true;
}

async function opens(browser: Left["browser"], path: string) {
  const answer = await browser.get(path);
  await answer.arrayBuffer();
  return answer.status === 200;
}

/**
 * What was left open, and whether it still works. In this order, because a later one may change what an earlier one
 * asks.
 */
const PROBES = {
  session: ({ browser }) => opens(browser, "/app"),
  "the back-office": ({ browser }) => opens(browser, "/manager/users"),
  "the back-office, where a passkey is required": async ({ browser }) => {
    await require(Date.now() - 30 * DAY_MS);
    const isOpen = await opens(browser, "/manager/users");
    await require(null);
    return isOpen;
  },
  "an impersonation": ({ impersonator }) => opens(impersonator, "/app"),
  "the active organization": async ({ user, company }) =>
    (await d1
      .prepare("SELECT 1 FROM session WHERE user_id = ? AND active_organization_id = ?")
      .bind(user.id, company.organization.id)
      .first()) !== null,
  "the organization's pages": ({ browser, company }) =>
    opens(browser, `/app/organizations/${company.organization.slug}/members`),
  "an invitation they sent": ({ invited, sent }) => accepts(invited.browser, sent.id),
  "an invitation they got": ({ browser, received }) => accepts(browser, received.id),
  "a change of e-mail": async ({ browser, newAddress, changeCode }) => {
    const answer = await enterChangeCode(browser, newAddress, changeCode);
    await answer.arrayBuffer();
    return locationOf(answer)?.includes("newEmail=") ?? false;
  },
  "a sign-in code": async ({ asker, user, code }) => {
    const answer = await enterCode(asker, user.email, code);
    await answer.arrayBuffer();
    return (await (await asker.get("/api/auth/get-session")).text()).includes(user.id);
  },
  "a passkey": async ({ key }) => {
    const answer = await signInWithPasskey(newBrowser(gatehouse), key);
    await answer.arrayBuffer();
    return answer.status === 200;
  },
  "the device cookie": async ({ former, user }) => {
    await (await askForCode(former, user.email)).arrayBuffer();
    const newest = "SELECT is_trusted FROM sign_in_code ORDER BY sent_at DESC LIMIT 1";
    return (await d1.prepare(newest).first<number>("is_trusted")) === 1;
  },
} satisfies Record<string, (left: Left) => Promise<boolean>>;

type Probe = keyof typeof PROBES;
const ALL = Object.keys(PROBES) as Probe[];

type Case = {
  happens: (left: Left) => Promise<unknown>;
  ends: Probe[];
};

function allBut(...kept: Probe[]): Probe[] {
  return ALL.filter((probe) => !kept.includes(probe));
}

/** What ends in each case. All that is not named goes on working. */
const CASES: Record<(typeof ENDINGS)[number], Case> = {
  nothing: { happens: async () => undefined, ends: [] },
  "a ban": {
    happens: ({ office, user }) =>
      office.browser.submit(`/manager/users/${user.id}`, { intent: "ban", duration: "7" }),
    // A trusted device only has limits of its own, and the user may come back.
    ends: allBut("the device cookie"),
  },
  "a removal from the organization": {
    happens: async ({ other, company, user }) => {
      const member = company.members.find(({ user_id }) => user_id === user.id)?.id ?? "";
      const screen = `/app/organizations/${company.organization.slug}/members`;
      await other.browser.submit(screen, { intent: "remove", member });
    },
    ends: [
      ...(["the active organization", "the organization's pages"] as const),
      "an invitation they sent",
    ],
  },
  "a demotion": {
    happens: ({ office, user }) =>
      office.browser.submit("/manager/users", { intent: "set-role", id: user.id, role: "user" }),
    ends: [
      ...(["the back-office", "the back-office, where a passkey is required"] as const),
      "an impersonation",
    ],
  },
  "a demotion, and the role once more": {
    happens: async ({ office, user }) => {
      for (const role of ["user", "admin"]) {
        await office.browser.submit("/manager/users", { intent: "set-role", id: user.id, role });
      }
    },
    // What was made with the role does not come back with it.
    ends: ["an impersonation"],
  },
  "a demotion in the organization": {
    happens: ({ company, user }) =>
      d1
        .prepare("UPDATE member SET role = 'admin' WHERE organization_id = ? AND user_id = ?")
        .bind(company.organization.id, user.id)
        .run(),
    ends: [],
  },
  "the end of all sessions": {
    happens: ({ browser }) => browser.api("/api/auth/revoke-sessions", {}),
    ends: [
      ...(["session", "the back-office", "the back-office, where a passkey is required"] as const),
      ...(["the active organization", "the organization's pages"] as const),
      ...(["an invitation they got", "a change of e-mail", "the device cookie"] as const),
    ],
  },
  "the removal of the passkey": {
    happens: async ({ browser, user }) => {
      const passkey = await d1
        .prepare("SELECT id FROM passkey WHERE user_id = ?")
        .bind(user.id)
        .first<string>("id");
      await browser.submit("/app/account", { intent: "remove-passkey", passkey: passkey ?? "" });
    },
    ends: ["a passkey", "the back-office, where a passkey is required", "the device cookie"],
  },
  "the grace period of a deletion": {
    happens: async (left) => {
      const second = newBrowser(gatehouse);
      await signInWithPasskey(second, left.key);
      const code = await askForDeletion(gatehouse, second, left.user.email);
      expect((await enterDeletionCode(second, code)).status).toBe(302);
    },
    // Who signs in again may take the deletion back.
    ends: allBut("the device cookie", "a sign-in code", "a passkey"),
  },
  "the erasure of the account": {
    happens: async (left) => {
      await d1
        .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
        .bind(Date.now() - 1, left.user.id)
        .run();
      await gatehouse.runScheduled(new Date(Date.now() + 3_600_000));
    },
    ends: allBut("the device cookie"),
  },
};

test.each(ENDINGS)("what works after %s, and what does not", async (name) => {
  const found = CASES[name];
  const left = await leaveOpen();
  const ofFeatures = FEATURE_TESTS.flatMap(({ leftOpen }) =>
    Object.entries(leftOpen?.probes ?? {}),
  );

  await found.happens(left);

  const working: string[] = [];
  for (const [probe, { works }] of ofFeatures) {
    if (await works(gatehouse, left.ofFeatures)) working.push(probe);
  }
  for (const probe of ALL) if (await PROBES[probe](left)) working.push(probe);
  const kept = ofFeatures.filter(([, { endsBy }]) => !endsBy.some((ending) => ending === name));
  expect(working).toEqual([...kept.map(([probe]) => probe), ...allBut(...found.ends)]);
});
