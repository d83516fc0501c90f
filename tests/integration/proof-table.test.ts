import { afterAll, expect, test } from "vitest";
import type { z } from "zod";
import type { Act } from "../../app/features/access/act.ts";
import { HARMLESS_PERMISSIONS, needsProof } from "../../app/features/access/proof.ts";
import { OFFICE_ACTS, OWN_ACTS } from "../../app/features/organizations/acts.ts";
import {
  InvitationsForm,
  MembersForm,
  SettingsForm,
} from "../../app/features/organizations/input.ts";
import { organizationForms } from "../../app/features/organizations/office/organization-change.server.ts";
import { SYSTEM_ACTS } from "../../app/features/system/acts.ts";
import { USER_ACTS } from "../../app/features/users/acts.ts";
import { UsersChange, userChange } from "../../app/features/users/commands/input.ts";
import { SERVER_FEATURES } from "../../app/features.server.ts";
import { type Browser, locationOf } from "../support/client.ts";
import {
  FEATURE_TESTS,
  featureUrls,
  joinFeatures,
  nameOf,
  type Post,
  withFeatures,
  withIds,
} from "../support/feature-tests.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, newEmail } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { makeProofOld } from "../support/sessions.ts";
import { startGatehouse } from "../support/worker.ts";

// Every act of the back-office and of an organization's owners needs a fresh proof, unless the table of harmless acts
// names it. These tables name every form in the code, so a new one must be added here, and is closed until then.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const target = await aUser(gatehouse);
const { user: owner, browser: ofOwner } = await aSignedInUser(gatehouse);
const { organization, members } = await anOrganization(
  gatehouse,
  {},
  { owner, members: [await aUser(gatehouse)] },
);
const ids = await featureUrls(gatehouse, organization);
const [, other] = members;
const { user: admin, browser: ofAdmin } = await anAdmin(gatehouse);

/** Ids that are no one's, so that a form that is let through changes nothing. */
const NOBODY = "nobody-has-this";
const chosen = { id: NOBODY };
const member = { member: other?.id ?? "" };

/** What the forms of a user's screen and the list's send beside the intent, for each act. */
const OF_USERS = {
  ban: { duration: "7", ...chosen },
  impersonate: { impersonationReason: "Help" },
  unban: chosen,
  delete: chosen,
  "set-role": { ...chosen, role: "support" },
  revoke: { session: NOBODY },
  "revoke-all": {},
  invite: {},
  "remove-methods": {},
  "keep-methods": { question: NOBODY },
  "allow-mail": {},
  "release-passkey": {},
};

/** The same for an organization's screen. */
const OF_OFFICE: Record<keyof typeof OFFICE_ACTS, Record<string, string>> = {
  rename: { name: "N", slug: "new-name", version: "99" },
  "add-member": { email: target.email, role: "owner" },
  "set-role": { ...member, newRole: "owner" },
  "remove-member": member,
  "restore-member": member,
  transfer: member,
  disable: { reason: "Because" },
  enable: {},
  delete: { typedName: organization.name },
  restore: {},
};

/** The forms of a schema with intents: each names its act. */
function postsOf<Intent extends string>(
  form: z.ZodType<{ intent: Intent }>,
  acts: Record<Intent, Act>,
  fields: Record<Intent, Record<string, string>>,
): Post[] {
  // The schema's own type says which intents it has.
  const intents = [...(form._zod.propValues?.intent ?? [])] as Intent[];
  return intents.map((intent) => [acts[intent], { intent, ...fields[intent] }]);
}

/** The forms of a table of acts, one of each. */
function postsOfActs(
  acts: Record<string, Act>,
  fields: Record<string, Record<string, string>>,
): Post[] {
  return Object.entries(acts).map(([intent, act]) => [act, { intent, ...fields[intent] }]);
}

const CORE_FORMS: Record<string, readonly Post[]> = {
  "/manager/users/:id": postsOf(userChange("2026-11-27"), USER_ACTS, OF_USERS),
  "/manager/users": postsOf(UsersChange, USER_ACTS, OF_USERS),
  "/manager/users/new": [["user.create", { name: "New", email: newEmail(), role: "user" }]],
  "/manager/users/:id/update": [
    ["user.update", { name: "Name", email: target.email, role: "user", version: "1" }],
    ["user.set-email", { name: "Name", email: newEmail(), role: "user", version: "2" }],
    ["user.set-role", { name: "Name", email: target.email, role: "support", version: "2" }],
  ],
  "/manager/mail": [["mail.retry", { mail: NOBODY }]],
  "/manager/settings/access": [["settings.update", { version: "1" }]],
  "/manager/settings/brand": [["settings.update", { version: "1" }]],
  "/manager/settings/security": [["settings.update", { intent: "optional" }]],
  "/manager/settings/system": postsOfActs(SYSTEM_ACTS, {}),
  "/manager/organizations/new": [["organization.create", { name: "New", ownerEmail: "x@y.zz" }]],
  "/manager/organizations/:id": postsOfActs(OFFICE_ACTS, OF_OFFICE),
};
/** The forms of the back-office. */
const FORMS = joinFeatures(CORE_FORMS, ({ acts }) => formsBelow("/manager", acts));

/** Screens of the back-office for one's own account, for the proof itself, and for URLs without a page. */
const OWN = /^\/manager\/(account|passkey|\*)/;

const CORE_OWNED: Record<string, readonly Post[]> = {
  "/app/organizations/new": [[OWN_ACTS.create, { name: "" }]],
  "/app/organizations/:slug/members": postsOf(MembersForm, OWN_ACTS, {
    "set-role": { ...member, role: "owner" },
    remove: member,
    "restore-member": member,
    transfer: member,
  }),
  "/app/organizations/:slug/invitations": [
    ...postsOf(InvitationsForm, OWN_ACTS, {
      invite: { emails: "not-an-email@", role: "member" },
      resend: { invitation: NOBODY },
      cancel: { invitation: NOBODY },
      "resend-all": {},
      "create-link": { uses: "5", days: "7" },
      "revoke-link": { link: NOBODY },
    }),
    [OWN_ACTS["invite-admin"], { intent: "invite", emails: newEmail(), role: "admin" }],
    [OWN_ACTS["invite-owner"], { intent: "invite", emails: newEmail(), role: "owner" }],
  ],
  "/app/organizations/:slug/settings": postsOf(SettingsForm, OWN_ACTS, {
    save: { name: "N", slug: "other-name", version: "99" },
    leave: {},
    delete: { typedName: organization.name },
    restore: {},
  }),
  "/app/organizations/:slug/logo": [[OWN_ACTS.logo, {}]],
  "/app/active-organization": [[OWN_ACTS.activate, { intent: "organization" }]],
  "/invitations/:id": [[OWN_ACTS.answer, { intent: "accept" }]],
  "/invitations/links/:token": [[OWN_ACTS.answer, { intent: "join" }]],
};
/** The forms of an organization's members. */
const OWNED = joinFeatures(CORE_OWNED, ({ acts }) => formsBelow("/app", acts));

function formsBelow(area: string, acts: Record<string, readonly Post[]> = {}) {
  return Object.fromEntries(Object.entries(acts).filter(([pattern]) => pattern.startsWith(area)));
}

const CORE_SCHEMAS: Record<string, z.core.$ZodType[]> = {
  "/manager/users/:id": [userChange("2026-11-27")],
  "/manager/users": [UsersChange],
  "/manager/organizations/:id": [organizationForms(SERVER_FEATURES.officeForms)],
  "/app/organizations/:slug/members": [MembersForm],
  "/app/organizations/:slug/invitations": [InvitationsForm],
  "/app/organizations/:slug/settings": [SettingsForm],
};
/** The schemas of the forms with intents. A feature's forms of the own account are in no table here, as the core's. */
const SCHEMAS = joinFeatures(CORE_SCHEMAS, ({ forms = {} }) =>
  Object.fromEntries(
    Object.entries(forms).flatMap(([pattern, form]) =>
      (FORMS[pattern] ?? OWNED[pattern]) && !Array.isArray(form) && form._zod.propValues?.intent
        ? [[pattern, [form]]]
        : [],
    ),
  ),
);

const CORE_EXPORTS: Record<string, string> = {
  "/manager/users/export": "user.export",
  "/manager/audit/export": "audit.export",
  "/manager/organizations/export": "organization.export",
};
/** Files for managers. */
const EXPORTS = withFeatures(CORE_EXPORTS, ({ exports: files }) => files);

/** Posts a form and returns whether a proof was asked for, before anything was done. */
async function asksForProof(browser: Browser, path: string, fields: Record<string, string>) {
  const answer = await browser.submit(path, fields);
  await answer.arrayBuffer();
  return locationOf(answer)?.includes("/account/confirm?") === true;
}

function urlOf(pattern: string): string {
  return withIds(pattern, ids)
    .replace("/users/:id", `/users/${target.id}`)
    .replace("/organizations/:id", `/organizations/${organization.id}`)
    .replace(":slug", organization.slug)
    .replace(":theme", "light")
    .replace(":id", NOBODY);
}

/** The rows that the proved acts are about. */
async function readRows() {
  const read = async (table: string) =>
    (await gatehouse.d1.prepare(`SELECT * FROM ${table}`).all()).results;
  return {
    member: await read("member"),
    organization: await read("organization"),
    invitation: await read("invitation"),
    settings: await read("site_setting"),
    ofFeatures: await Promise.all(FEATURE_TESTS.flatMap(({ tables = [] }) => tables.map(read))),
  };
}

test("the tables name every form of the back-office and of organizations, every intent and every file", () => {
  const urls = listUrls();
  const withForms = urls.filter(({ takesForms }) => takesForms).map(({ pattern }) => pattern);
  const isOfManagers = (pattern: string) => pattern.startsWith("/manager") && !OWN.test(pattern);
  // The calls of keys need their permission by name instead of a proof.
  const isOfOwners = (pattern: string) =>
    /^\/app\/(?!account\b|\*)|organization|invitation/.test(pattern) &&
    !pattern.startsWith("/api/v1/");

  expect(withForms.filter(isOfManagers).sort()).toEqual(Object.keys(FORMS).sort());
  expect(
    withForms.filter((pattern) => !isOfManagers(pattern) && isOfOwners(pattern)).sort(),
  ).toEqual(Object.keys(OWNED).sort());
  const files = urls.map(({ pattern }) => pattern).filter((pattern) => /\/export$/.test(pattern));
  const open = FEATURE_TESTS.flatMap(({ openFiles = [] }) => openFiles);
  expect(files.sort()).toEqual([...Object.keys(EXPORTS), ...open].sort());
  for (const [pattern, schemas] of Object.entries(SCHEMAS)) {
    const posts = FORMS[pattern] ?? OWNED[pattern] ?? [];
    const posted = new Set(posts.map(([, { intent }]) => intent));
    const known = schemas.flatMap((schema) => [...(schema._zod.propValues?.intent ?? [])]);
    expect(known.length).toBeGreaterThan(0);
    expect([...posted].sort()).toEqual(expect.arrayContaining(known.sort()));
  }
});

test("what hurts is not named harmless", () => {
  for (const act of [
    USER_ACTS.impersonate,
    "user.set-email",
    "user.set-role",
    "user.create",
    USER_ACTS["remove-methods"],
    USER_ACTS["release-passkey"],
    "settings.update",
    OFFICE_ACTS["add-member"],
    OWN_ACTS["invite-admin"],
    OWN_ACTS["invite-owner"],
    OWN_ACTS.leave,
    OWN_ACTS["set-role"],
    "user.export",
    "audit.export",
    "a-permission.that-no-one-has-named",
  ]) {
    expect([act, needsProof(act)]).toEqual([act, true]);
  }
});

for (const [pattern, posts] of Object.entries({ ...FORMS, ...OWNED })) {
  test(`a stale session is asked for a proof by the acts of ${pattern}, but by none that is harmless`, async () => {
    const [user, browser] = pattern.startsWith("/manager") ? [admin, ofAdmin] : [owner, ofOwner];
    await makeProofOld(gatehouse, user);

    for (const [act, fields] of posts) {
      const before = await readRows();
      const isAsked = await asksForProof(browser, urlOf(pattern), fields);
      expect([nameOf(act), isAsked]).toEqual([nameOf(act), needsProof(act)]);
      if (isAsked) expect(await readRows()).toEqual(before);
    }
  });
}

/**
 * What each harmless act leaves behind for a later, proved one, and why that one does not take it
 * unseen. A new harmless act must be added here.
 */
const CORE_LEFT_BEHIND = {
  "account.update": "A name, which the account's own screens show.",
  "user.update": "A name. The screens and questions of a user show it with the e-mail.",
  "session.revoke": "Nothing.",
  "session.delete": "Nothing.",
  "mail.retry": "Nothing: the mail is the one that was written with its own act.",
  "organization.create": "Proved in the back-office; in the app an organization of one's own.",
  "system:test-mail": "Nothing: the mail goes to the manager who asked.",
  "system:hide-set-up": "A hidden list. Its steps are asked for one by one.",
  "system:show-set-up": "Nothing.",
  "user:revoke": "Nothing.",
  "user:revoke-all": "Nothing.",
  "user:invite": "Nothing.",
  "user:keep-methods": "Sign-in methods that were there before; removing them stays possible.",
  "user:allow-mail": "Nothing.",
  "organization:rename": "A name, which the question of deletion asks for.",
  "own:create": "An organization of one's own.",
  "own:activate":
    "The active organization, which the navigation shows. Acts of screens name theirs in the URL.",
  "own:answer": "A membership. Ownership is offered by an owner's proof.",
  "own:save": "A name, which the question of deletion asks for.",
  "own:logo": "A picture.",
  "own:restore": "An organization that is not being deleted.",
  "own:invite": "A member, who has no rights over others. A role above is a proved act.",
  "own:resend": "The same for a member; a role above member needs a proof.",
  "own:resend-all": "The same for each of them.",
  "own:cancel": "Nothing.",
  "own:revoke-link": "Nothing.",
};
const LEFT_BEHIND = withFeatures<string>(CORE_LEFT_BEHIND, ({ leftBehind }) => leftBehind);

test("of each harmless act that changes something it is said what it leaves behind for a proved one", () => {
  const reads = /\.(read|list|get|export)$|^apps\./;

  const harmless = new Set([
    ...HARMLESS_PERMISSIONS.filter((act) => !reads.test(act)),
    ...[...Object.values(FORMS), ...Object.values(OWNED)].flatMap((posts) =>
      posts.flatMap(([act]) => (needsProof(act) ? [] : [nameOf(act)])),
    ),
  ]);
  expect(Object.keys(LEFT_BEHIND).sort()).toEqual([...harmless].sort());
});

test("what a stale session plants by every harmless act serves no proved act of the honest person", async () => {
  const { user: thief, browser: ofThief } = await aSignedInUser(gatehouse);
  // A thief fills in the harmless forms, so that a proved act would serve them.
  const planted: Record<string, Record<string, string>> = {
    "own:invite": { emails: thief.email, role: "member" },
  };
  await makeProofOld(gatehouse, admin);
  await makeProofOld(gatehouse, owner);
  const before = await readRows();

  for (const [pattern, posts] of Object.entries({ ...FORMS, ...OWNED })) {
    const stolen = pattern.startsWith("/manager") ? ofAdmin : ofOwner;
    for (const [act, fields] of posts) {
      if (needsProof(act)) continue;
      const body = { ...fields, ...planted[nameOf(act)] };
      await (await stolen.submit(urlOf(pattern), body)).arrayBuffer();
    }
  }

  // The thief accepts what was sent.
  const invitation = await gatehouse.d1
    .prepare("SELECT id FROM invitation WHERE email = ?")
    .bind(thief.email)
    .first<string>("id");
  await ofThief.submit(`/invitations/${invitation}`, { intent: "accept" });
  const roleOfThief = "SELECT role FROM member WHERE user_id = ?";
  expect(await gatehouse.d1.prepare(roleOfThief).bind(thief.id).first("role")).toBe("member");

  // With the seat that they have now, the thief's own fresh session changes nobody.
  for (const [pattern, posts] of Object.entries(OWNED)) {
    for (const [act, fields] of posts) {
      if (!needsProof(act) || nameOf(act) === "own:leave") continue;
      await (await ofThief.submit(urlOf(pattern), fields)).arrayBuffer();
    }
  }
  const after = await readRows();
  const isOthers = (row: Record<string, unknown>) => row.user_id !== thief.id;
  expect(after.member.filter(isOthers)).toEqual(before.member);
  expect([after.ofFeatures, after.settings]).toEqual([before.ofFeatures, before.settings]);
});

test("a stale session gets no file of people or events, and comes back to the list", async () => {
  await makeProofOld(gatehouse, admin);

  for (const [pattern, act] of Object.entries(EXPORTS)) {
    const answer = await ofAdmin.get(`${pattern}?searchTerm=a`);
    await answer.arrayBuffer();
    const list = `${pattern.replace("/export", "")}?searchTerm=a`;
    const expected = needsProof(act)
      ? `/manager/account/confirm?next=${encodeURIComponent(list)}`
      : undefined;
    expect([pattern, locationOf(answer)]).toEqual([pattern, expected]);
  }
});
