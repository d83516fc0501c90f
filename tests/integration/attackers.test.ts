import { afterAll, expect, test } from "vitest";
import { ACCOUNT, askForChange, enterChangeCode } from "../support/account.ts";
import { enterCode as confirmByCode, sendCode } from "../support/account-confirm.ts";
import {
  type Authenticator,
  addPasskey,
  newAuthenticator,
  optionsFor,
  signInWithPasskey,
} from "../support/authenticator.ts";
import { type Browser, newBrowser } from "../support/client.ts";
import { type Aim, CALLS, everyForm, FORMS, fillIn } from "../support/every-form.ts";
import { featureTables, featureUrls, tablesBelow } from "../support/feature-tests.ts";
import { formsOf } from "../support/form-fields.ts";
import { inTurn } from "../support/matrix.ts";
import { aMember, anOrganization } from "../support/organizations.ts";
import {
  aSignedInUser,
  aUser,
  newEmail,
  openSession,
  type Person,
  signIn,
} from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { isFull } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

// Attackers with one asset try every form and call of the product, against their victims and for
// themselves, and all of it again with what they have gained. What each rule allows may be right
// alone; these tests ask what a chain of them gives.

const DAY_MS = 86_400_000;
/** Rounds of all steps. What one round gives is used in the next. */
const ROUNDS = isFull ? 3 : 1;
/**
 * The forms and calls that are sent about each of the aims: all of them once, then those about a
 * person. The gate takes the first aim and one of the others, by turns.
 */
const ABOUT = [/./, /users|organization/, /users|organization/, /users/];
/** An e-mail of ADMIN_EMAILS that no account has yet. */
const FREE_ADMIN_EMAIL = newEmail("root");

const gatehouse = await startGatehouse({ vars: { ADMIN_EMAILS: FREE_ADMIN_EMAIL } });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { d1 } = gatehouse;

/** What is within an organization, which people enter by other rows. */
const WITHIN = (await tablesBelow(d1, "organization_id")).map(({ name }) => name);
/** The features' tables with rows of a user. */
const OWNED = (await featureTables(d1, "user_id")).filter((name) => !WITHIN.includes(name));

/** Sets since when managers need a passkey; null when they do not. */
async function setRule(since: number | null) {
  await d1.prepare("UPDATE site_setting SET manager_passkeys_since = ?").bind(since).run();
}

/** Forms and calls that end the attacker's own session or membership. */
const GIVES_UP = ["/sign-out", "/revoke-sessions", "leave", "/organization/leave"];

type World = Awaited<ReturnType<typeof newWorld>>;

/**
 * People with something to lose: two admins with passkeys, and an owner of an organization with a member and an invited
 * person.
 */
async function newWorld() {
  await setRule(null);
  const admins = [];
  for (const name of ["Mona Manager", "Amir Admin"]) {
    const { user, browser } = await aSignedInUser(gatehouse, { name, role: "admin" });
    const key = newAuthenticator({ origin: gatehouse.origin });
    expect((await addPasskey(browser, key)).status).toBe(200);
    admins.push({ user, browser, key });
  }
  // The strictest rule for managers: its grace period is over.
  await setRule(Date.now() - 30 * DAY_MS);
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const member = await aUser(gatehouse, { name: "Mia Member" });
  const invited = await aUser(gatehouse, { name: "Ivo Invited" });
  const { organization, members, invitations } = await anOrganization(
    gatehouse,
    {},
    {
      owner: owner.user,
      members: [member],
      invitations: [{ email: invited.email }],
    },
  );
  const [admin, otherAdmin] = admins;
  if (!admin || !otherAdmin) throw new Error("There are no admins");
  return {
    admin,
    otherAdmin,
    owner,
    member,
    invited,
    organization,
    members,
    invitation: invitations[0]?.id ?? "",
    ids: await featureUrls(gatehouse, organization),
  };
}

/** Who attacks, and what they hold. */
type Attacker = {
  browser: Browser;
  /** E-mails whose mails they read. */
  mailboxes: string[];
  keys: Authenticator[];
  /** Their own account. */
  own: Person;
};

async function aimsOf(world: World, { own }: Attacker): Promise<Aim[]> {
  const evil = () => newEmail("evil");
  const [owner = "", member = ""] = world.members.map(({ id }) => id);
  const ownMember = await d1
    .prepare("SELECT id FROM member WHERE organization_id = ? AND user_id = ?")
    .bind(world.organization.id, own.id)
    .first<string>("id");
  return [
    { user: world.otherAdmin.user, email: evil(), role: "user", member },
    { user: world.owner.user, email: evil(), role: "user", member: owner },
    { user: own, email: own.email, role: "admin", member: ownMember ?? own.id },
    { user: own, email: FREE_ADMIN_EMAIL, role: "admin", member: own.id },
  ];
}

/** Sends every form and every call that is asked for, about one aim. */
async function tryEach(
  { browser }: Attacker,
  world: World,
  aim: Aim,
  isAsked: (pattern: string) => boolean,
) {
  for await (const { pattern, intent, path, fields } of everyForm(d1, world, aim, isAsked)) {
    const isOwnEnd = pattern.endsWith("/account") && intent === "revoke-all";
    if (isOwnEnd || (intent && GIVES_UP.includes(intent))) continue;
    await post(browser, path, fields);
  }
  for (const [path, input] of Object.entries(CALLS)) {
    if (GIVES_UP.includes(path) || !isAsked(path)) continue;
    for (const { fields } of [...formsOf(input), { fields: [] }].slice(0, 1)) {
      const body = Object.fromEntries(await fillIn(d1, world, aim, path, fields));
      await (await browser.api(`/api/auth${path}`, body)).arrayBuffer();
    }
  }
}

async function post(browser: Browser, path: string, fields: Record<string, string>) {
  await (await browser.submit(path, fields)).arrayBuffer();
}

/** Steps of several requests: a proof, a passkey of their own, another e-mail for the account. */
async function gainPower(attacker: Attacker) {
  const { browser, keys } = attacker;
  const current = JSON.parse(await (await browser.get("/api/auth/get-session")).text());
  const email = String(current?.user?.email);
  const codeTo = async (send: () => Promise<Response>, mailbox = email) => {
    const count = () => gatehouse.mailbox.mails.filter(({ to }) => to === mailbox).length;
    const before = count();
    await (await send()).arrayBuffer();
    const queued = await d1
      .prepare("SELECT count(*) AS n FROM mail_outbox WHERE recipient = ?")
      .bind(mailbox)
      .first<number>("n");
    const isReadable = attacker.mailboxes.includes(mailbox) && (queued ?? 0) > before;
    return isReadable ? gatehouse.mailbox.codeFor(mailbox) : undefined;
  };

  const proof = await codeTo(() => sendCode(browser));
  if (proof) await (await confirmByCode(browser, proof)).arrayBuffer();
  for (const key of keys) {
    const options = await optionsFor(browser, "authenticate");
    const response = key.get(options.challenge);
    await (await browser.api("/api/auth/passkey/confirm-session", { response })).arrayBuffer();
  }
  const key = newAuthenticator({ origin: gatehouse.origin });
  if ((await browser.get("/api/auth/passkey/generate-register-options")).status === 200) {
    await (await addPasskey(browser, key)).arrayBuffer();
    keys.push(key);
  }
  const evil = newEmail("evil-box");
  attacker.mailboxes.push(evil);
  const code = await codeTo(() => askForChange(browser, evil));
  if (!code) return;
  const last = await codeTo(() => enterChangeCode(browser, evil, code), evil);
  if (last) await (await enterChangeCode(browser, evil, last)).arrayBuffer();
}

/** Everybody but the attacker. */
function victimsOf(world: World) {
  const { admin, otherAdmin, owner, member, invited } = world;
  return [admin.user, otherAdmin.user, owner.user, member, invited];
}

async function rows(sql: string, ...bound: string[]) {
  return (
    await d1
      .prepare(sql)
      .bind(...bound)
      .all()
  ).results;
}

/** What the goals are about. An attacker reaches one when its rows change. */
const GOALS: Record<string, (world: World) => Promise<unknown>> = {
  "be an admin": async (world) => ({
    admins: await rows(
      "SELECT id FROM user WHERE instr(role, 'admin') AND id IN (SELECT value FROM json_each(?)) ORDER BY id",
      JSON.stringify([...everyone]),
    ),
    byEmail: await rows("SELECT id FROM user WHERE email = ?", FREE_ADMIN_EMAIL),
    keys: await keysOf([world.admin.user, world.otherAdmin.user]),
    isRuleOn: (await rows("SELECT 1 FROM site_setting WHERE manager_passkeys_since IS NOT NULL"))
      .length,
    impersonations: await rows("SELECT id FROM session WHERE impersonated_by IS NOT NULL"),
  }),
  "take another's account over": async (world) => ({
    emails: await rows(
      "SELECT id, email FROM user WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
      idsOf(victimsOf(world)),
    ),
    keys: await keysOf(victimsOf(world)),
    ofFeatures: await Promise.all(
      OWNED.map((table) =>
        rows(
          `SELECT id FROM ${table} WHERE user_id IN (SELECT value FROM json_each(?))`,
          idsOf(victimsOf(world)),
        ),
      ),
    ),
    accounts: await rows(
      "SELECT id FROM account WHERE user_id IN (SELECT value FROM json_each(?))",
      idsOf(victimsOf(world)),
    ),
  }),
  "get into an organization": (world) =>
    rows(
      "SELECT user_id, role FROM member WHERE organization_id = ? ORDER BY user_id",
      world.organization.id,
    ),
  "keep somebody out": async (world) => ({
    standing: await rows(
      "SELECT id, banned, deletion_due_at, role FROM user WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
      idsOf(victimsOf(world)),
    ),
    keys: await keysOf(victimsOf(world)),
    organization: await rows(
      "SELECT id, disabled_at, deletion_due_at FROM organization WHERE id = ?",
      world.organization.id,
    ),
    invitation: await rows("SELECT status FROM invitation WHERE id = ?", world.invitation),
  }),
};

/** Ids of all people of these tests. */
const everyone = new Set<string>();

function idsOf(people: Pick<Person, "id">[]) {
  return JSON.stringify(people.map(({ id }) => id));
}

function keysOf(people: Pick<Person, "id">[]) {
  return rows(
    "SELECT user_id, id FROM passkey WHERE user_id IN (SELECT value FROM json_each(?)) ORDER BY id",
    idsOf(people),
  );
}

/** Returns the state of each goal. */
async function readGoals(world: World) {
  const read = Object.entries(GOALS).map(async ([goal, of]) => [goal, await of(world)] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** What attackers hold at first. All of them also have an account of their own. */
const ASSETS: Record<string, (world: World) => Promise<Omit<Attacker, "own"> & { own?: Person }>> =
  {
    "an ordinary account": () => anAccount(),
    async "a membership without rights"(world) {
      const held = await anAccount();
      await aMember(gatehouse, { organization_id: world.organization.id, user_id: held.own.id });
      return held;
    },
    async "a manager's mailbox"({ admin }) {
      const browser = newBrowser(gatehouse);
      await signIn(gatehouse, browser, admin.user.email);
      return { browser, mailboxes: [admin.user.email], keys: [] };
    },
    async "an admin's cookie of yesterday"({ admin }) {
      const browser = newBrowser(gatehouse);
      await openSession(gatehouse, browser, admin.user.id);
      const yesterday = Date.now() - DAY_MS;
      await d1
        .prepare(
          "UPDATE session SET created_at = ?1, passkey_proved_at = ?1, passkey_proved_by = (SELECT id FROM passkey WHERE user_id = ?2) WHERE user_id = ?2 AND passkey_proved_at IS NULL",
        )
        .bind(yesterday, admin.user.id)
        .run();
      expect((await browser.get("/manager/users")).status).toBe(200);
      return { browser, mailboxes: [], keys: [] };
    },
    async "a passkey that was removed"({ admin }) {
      const stolen = newAuthenticator({ origin: gatehouse.origin });
      await addPasskey(admin.browser, stolen);
      const browser = newBrowser(gatehouse);
      expect((await signInWithPasskey(browser, stolen)).status).toBe(200);
      const passkey = await d1
        .prepare("SELECT id FROM passkey WHERE user_id = ? ORDER BY created_at DESC, rowid DESC")
        .bind(admin.user.id)
        .first<string>("id");
      await post(admin.browser, ACCOUNT, { intent: "remove-passkey", passkey: passkey ?? "" });
      return { browser, mailboxes: [], keys: [stolen] };
    },
  };

async function anAccount() {
  const { user, browser } = await aSignedInUser(gatehouse, { name: "Mallory" });
  return { own: user, browser, mailboxes: [user.email], keys: [] };
}

test("the steps name every form of the product", () => {
  const withForms = listUrls().filter(({ takesForms }) => takesForms);

  expect(withForms.map(({ pattern }) => pattern).sort()).toEqual(Object.keys(FORMS).sort());
});

test.each([...Object.keys(ASSETS).entries()])(
  "%i: with %s no chain of forms and calls reaches a goal",
  async (turn, asset) => {
    const world = await newWorld();
    const held = await ASSETS[asset]?.(world);
    if (!held) throw new Error("There is no such asset");
    const own = held.own ?? (await aUser(gatehouse, { name: "Mallory" }));
    for (const { id } of [...victimsOf(world), own]) everyone.add(id);
    const attacker = { ...held, own };
    const before = await readGoals(world);

    for (let round = 0; round < ROUNDS; round++) {
      await gainPower(attacker);
      const [first, ...others] = [...(await aimsOf(world, attacker)).entries()];
      for (const [index, aim] of [...(first ? [first] : []), ...inTurn(others, turn)]) {
        await tryEach(attacker, world, aim, (step) => ABOUT[index]?.test(step) ?? false);
      }
      expect(await readGoals(world)).toEqual(before);
      // The attacker still had the session when the last step was tried.
      const session = await (await attacker.browser.get("/api/auth/get-session")).text();
      expect(session).toContain('"user":');
    }

    // The victims still come in by what they have.
    expect((await signInWithPasskey(newBrowser(gatehouse), world.admin.key)).status).toBe(200);
    for (const { email } of [world.owner.user, world.member]) {
      await signIn(gatehouse, newBrowser(gatehouse), email);
    }
  },
);
