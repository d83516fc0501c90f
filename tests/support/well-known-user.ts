import { FEATURE_TESTS } from "./feature-tests.ts";
import { insertRows } from "./insert.ts";
import { aUser, aUserSignedInByCode } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

/** Makes a user with data in every table about users. */
export async function aWellKnownUser(gatehouse: Gatehouse) {
  const insert = (table: string, row: Record<string, string | number | null>) =>
    insertRows(gatehouse.d1, table, [row]);
  const avatar = crypto.randomUUID();
  const known = await aUserSignedInByCode(gatehouse, { avatar, language: "sw", theme: "dark" });
  const { id, email } = known.user;
  const other = await aUser(gatehouse, { name: "Othman Other" });
  const at = Date.now();
  const key = (name: string) => `${name}-of-${id}`;
  const session = await gatehouse.d1
    .prepare("SELECT id FROM session WHERE user_id = ?")
    .bind(id)
    .first<string>("id");
  await insert("session", {
    id: key("acted"),
    token: key("token"),
    user_id: id,
    expires_at: at + 60_000,
    impersonated_by: other.id,
    ip_address: "203.0.113.77",
    user_agent: "Manager's",
    created_at: at,
    updated_at: at,
  });
  await insert("account", {
    id: key("account"),
    account_id: key("github"),
    provider_id: "github",
    user_id: id,
    scope: "user",
    email: "octocat@example.org",
    access_token: key("access"),
    refresh_token: key("refresh"),
    id_token: key("identity"),
    password: key("password"),
    created_at: at,
    updated_at: at,
  });
  await insert("passkey", {
    id: key("passkey"),
    name: "Laptop",
    public_key: key("public"),
    user_id: id,
    counter: 1,
    credential_id: key("credential"),
    device_type: "multiDevice",
    backed_up: 1,
    created_at: at,
  });
  await insert("account_code", {
    user_id: id,
    purpose: "email-new",
    session_id: session,
    address: email,
    new_email: "new@example.org",
    code_hash: key("hash"),
    sent_at: at,
    expires_at: at,
  });
  await insert("refusing_mailbox", { email, reason: "complained", since: at });
  await insert("organization", {
    id: key("org"),
    name: "Nyumbani",
    slug: key("slug"),
    created_at: at,
  });
  await insert("member", {
    id: key("member"),
    organization_id: key("org"),
    user_id: id,
    role: "owner",
    created_at: at,
  });
  await insert("invitation", {
    id: key("invitation"),
    organization_id: key("org"),
    email,
    role: "member",
    expires_at: at,
    inviter_id: other.id,
    created_at: at,
  });
  await insert("invitation", {
    id: key("sent"),
    organization_id: key("org"),
    email: other.email,
    role: "member",
    expires_at: at,
    inviter_id: id,
    created_at: at,
  });
  const link = { organization_id: key("org"), inviter_id: id, max_uses: 5 };
  await insert("invitation_link", {
    id: key("link"),
    ...link,
    expires_at: at,
    created_at: at,
  });
  await insert("invitation_link_user", { link_id: key("link"), user_id: id, joined_at: at });
  await gatehouse.d1
    .prepare("UPDATE user SET last_organization_id = ? WHERE id = ?")
    .bind(key("org"), id)
    .run();
  for (const { know } of FEATURE_TESTS) await know?.(insert, { id, at, key });
  const event = (name: string, row: Record<string, string | number | null>) =>
    insert("audit_event", { id: key(name), action: "user.updated", created_at: at, ...row });
  await event("by-another", {
    actor_id: other.id,
    target_type: "user",
    target_id: id,
    details: '{"after":"mine"}',
    ip_address: "203.0.113.77",
    user_agent: "Manager's",
    place: "Managerville, KE",
  });
  await event("to-another", {
    actor_id: id,
    target_type: "user",
    target_id: other.id,
    ip_address: "198.51.100.7",
    details: JSON.stringify({ before: { email: other.email } }),
  });
  await event("in-my-name", {
    actor_id: id,
    impersonator_id: other.id,
    target_type: "user",
    target_id: id,
    ip_address: "203.0.113.77",
  });
  return { ...known, avatar, other };
}
