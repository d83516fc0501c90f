import { readFileSync } from "node:fs";
import { createDb } from "../../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../../app/features/samples/sample-data.server.ts";
import { seed } from "../../app/features/samples/seed.server.ts";
import { SERVER_FEATURES } from "../../app/features.server.ts";
import { newBrowser } from "./client.ts";
import { FEATURE_TESTS } from "./feature-tests.ts";
import { insertRows } from "./insert.ts";
import { anInvitation, anOrganization } from "./organizations.ts";
import { anAdmin, aSignedInUser, aUser, newEmail, openSession, type Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A picture in which a circle can be seen. */
const PICTURE = readFileSync("public/icon-180.png");

/** Fills a product with everything that its screens can show. Returns who opens them, and the ids in their URLs. */
export async function fillForScreens(gatehouse: Gatehouse) {
  const { d1 } = gatehouse;
  const now = Date.now();
  await seed(createDb(d1), DEFAULT_SIZE, new Date(), SERVER_FEATURES.samples);

  const seen = { last_seen_at: now, terms_version: "2026-11" };
  const avatar = crypto.randomUUID();
  await (await gatehouse.getBucket("AVATARS")).put(avatar, PICTURE);
  const owner = await aSignedInUser(gatehouse, { ...seen, name: "زهراء Zawadi", avatar });
  const guest = await aSignedInUser(gatehouse, { ...seen, name: "Amina Yusuf" });
  const admin = await anAdmin(gatehouse, seen);
  const newcomer = await aSignedInUser(gatehouse, { name: "", onboarded_at: null });
  const unasked = await aSignedInUser(gatehouse);
  const leaving = await aSignedInUser(gatehouse, { ...seen, deletion_due_at: now + 20 * DAY_MS });
  const banned = await aUser(gatehouse, {
    name: "ليلى Haddad",
    banned: 1,
    ban_expires: now + 30 * DAY_MS,
    ban_reason: "Sold tickets to the same show twice.",
  });
  const refusing = await aUser(gatehouse, { name: "Baraka Mwangi" });
  await addDevicesAndMethods(gatehouse, owner.user);
  await addRefusedMail(gatehouse, refusing.email);

  const manager = await aUser(gatehouse, {
    name: "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft",
  });
  const company = await anOrganization(
    gatehouse,
    { name: "مؤسسة النخيل Nyumbani" },
    {
      owner: owner.user,
      admins: [manager],
      members: [guest.user, banned],
      invitations: [
        {},
        { role: "admin", expires_at: now - HOUR_MS },
        { status: "accepted", answered_at: now - HOUR_MS },
        { status: "canceled", answered_at: now - HOUR_MS },
      ],
    },
  );
  await anOrganization(
    gatehouse,
    { name: "Société des éditeurs de logiciels libres du Sahel", deletion_due_at: now + DAY_MS },
    { members: [owner.user] },
  );
  const disabled = await anOrganization(gatehouse, {
    name: "مؤسسة Zawadi",
    disabled_at: now,
    disabled_reason: "The bills of two months are unpaid.",
  });
  await addEvents(gatehouse, company.organization.id, owner.user.id, manager.id);

  const ofFeatures: Record<string, string> = {};
  for (const { seed: fill } of FEATURE_TESTS) {
    const world = {
      organization: company.organization,
      owner: owner.user,
      admin: admin.user,
    };
    Object.assign(ofFeatures, await fill?.(gatehouse, world));
  }

  const inviting = { organization_id: disabled.organization.id, inviter_id: disabled.ownerId };
  const invite = async (email: string, expiresAt = now + DAY_MS) =>
    (await anInvitation(gatehouse, { ...inviting, email, expires_at: expiresAt })).id;
  const firstOf = (table: "organization" | "user") =>
    d1
      .prepare(`SELECT id FROM ${table} ORDER BY created_at LIMIT 1`)
      .first<string>("id")
      .then(String);

  return {
    browsers: {
      owner: owner.browser,
      guest: guest.browser,
      admin: admin.browser,
      newcomer: newcomer.browser,
      unasked: unasked.browser,
      leaving: leaving.browser,
    },
    ids: {
      ...ofFeatures,
      slug: company.organization.slug,
      user: await firstOf("user"),
      owner: owner.user.id,
      banned: banned.id,
      refusing: refusing.id,
      organization: await firstOf("organization"),
      disabled: disabled.organization.id,
      invitation: await invite(newEmail("invited")),
      ownInvitation: await invite(guest.user.email),
      expiredInvitation: await invite(newEmail("invited"), now - HOUR_MS),
    },
  };
}

export type Seeded = Awaited<ReturnType<typeof fillForScreens>>;

/** Gives a user a second device, two passkeys, and linked accounts. */
async function addDevicesAndMethods(gatehouse: Gatehouse, { id, email }: Person): Promise<void> {
  const now = Date.now();
  await openSession(gatehouse, newBrowser(gatehouse), id);
  await insertRows(
    gatehouse.d1,
    "passkey",
    [
      { id: "synced", name: "iCloud Keychain", backed_up: 1, last_used_at: now - HOUR_MS },
      { id: "bound", name: "مفتاح العمل · YubiKey 5C", backed_up: 0, last_used_at: null },
    ].map((passkey) => ({
      ...passkey,
      public_key: "",
      user_id: id,
      credential_id: passkey.id,
      counter: 0,
      device_type: "multiDevice",
      created_at: now - DAY_MS,
    })),
  );
  await insertRows(
    gatehouse.d1,
    "account",
    ["github", "oidc"].map((provider) => ({
      id: crypto.randomUUID(),
      account_id: id,
      provider_id: provider,
      user_id: id,
      email,
      created_at: now - DAY_MS,
      updated_at: now - DAY_MS,
    })),
  );
}

/** Adds a mail that a mailbox has refused. */
async function addRefusedMail({ d1 }: Gatehouse, email: string): Promise<void> {
  const at = Date.now() - DAY_MS;
  const note = "550 5.1.1 no such user";
  await insertRows(d1, "refusing_mailbox", [{ email, reason: "bounced", note, since: at }]);
  await insertRows(d1, "mail_outbox", [
    {
      id: crypto.randomUUID(),
      kind: "login-code",
      recipient: email,
      language: "ar",
      state: "sent",
      next_try_at: at,
      expires_at: at,
      created_at: at,
      sent_at: at,
      delivery: "bounced",
      delivery_at: at,
      delivery_reason: note,
    },
  ]);
}

/** Adds what an owner did in an organization, the last of it for a member. */
async function addEvents(
  { d1 }: Gatehouse,
  targetId: string,
  actorId: string,
  member: string,
): Promise<void> {
  const began = Date.now() - HOUR_MS;
  await insertRows(
    d1,
    "audit_event",
    [
      { action: "organization.created", details: {} },
      { action: "member.role_changed", details: { member, after: { role: "admin" } } },
    ].map(({ action, details }, index) => ({
      id: crypto.randomUUID(),
      action,
      actor_id: actorId,
      created_at: began + index * 60_000,
      target_type: "organization",
      target_id: targetId,
      details: JSON.stringify(details),
    })),
  );
}
