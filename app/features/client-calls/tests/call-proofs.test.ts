import { afterAll, expect, test } from "vitest";
import { clientEndpoints } from "../../../../tests/support/endpoints.ts";
import { withFeatures } from "../../../../tests/support/feature-tests.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin, aSignedInUser, aUser, newEmail } from "../../../../tests/support/people.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { needsProof } from "../../access/proof.ts";

// A call that changes something needs a fresh proof, as the form that does the same, unless the
// table of harmless acts names its act. This table names every such call, so a new one must be
// added here.

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

const NOBODY = "nobody-has-this";
const target = await aUser(gatehouse);
const { user: owner, browser: ofOwner } = await aSignedInUser(gatehouse);
const { organization, members } = await anOrganization(
  gatehouse,
  {},
  { owner, members: [await aUser(gatehouse)] },
);
const [, other] = members;
const { user: admin, browser: ofAdmin } = await anAdmin(gatehouse);

/** Inputs of the calls of better-auth's client that change something. */
const OWN_CALLS: Record<string, Record<string, unknown>[]> = {
  "/organization/create": [{ name: "X", slug: "x-x-x" }],
  "/organization/update": [{ organizationId: NOBODY, data: { name: "X" } }],
  "/organization/delete": [{ organizationId: organization.id }],
  "/organization/set-active": [{ organizationId: NOBODY }],
  "/organization/invite-member": [
    { organizationId: NOBODY, email: "x@example.com", role: "member" },
    { organizationId: organization.id, email: "x@example.com", role: "admin" },
    { organizationId: organization.id, email: "x@example.com", role: "owner" },
  ],
  "/organization/cancel-invitation": [{ invitationId: NOBODY }],
  "/organization/accept-invitation": [{ invitationId: NOBODY }],
  "/organization/reject-invitation": [{ invitationId: NOBODY }],
  "/organization/remove-member": [
    { organizationId: organization.id, memberIdOrEmail: other?.id ?? "" },
  ],
  "/organization/update-member-role": [
    { organizationId: organization.id, memberId: other?.id ?? "", role: "owner" },
  ],
  "/organization/leave": [{ organizationId: NOBODY }],

  "/update-user": [{ name: "Olga Owner" }],
  "/revoke-session": [{ token: NOBODY }],
  "/unlink-account": [{ accountId: NOBODY }],
  // A code proves who changes the e-mail.
  "/change-email": [{ newEmail: "not an e-mail" }],
  "/email-otp/request-email-change": [{ newEmail: "x@example.com", otp: "000000" }],
  "/email-otp/change-email": [{ newEmail: "x@example.com", otp: "000000" }],
  "/passkey/update-passkey": [{ id: NOBODY, name: "X" }],
  "/passkey/delete-passkey": [{ id: NOBODY }],

  "/admin/create-user": [{ email: newEmail(), name: "New" }],
  "/admin/update-user": [{ userId: NOBODY, data: { name: "New" } }],
  "/admin/set-role": [{ userId: NOBODY, role: "support" }],
  "/admin/ban-user": [{ userId: NOBODY }],
  "/admin/unban-user": [{ userId: NOBODY }],
  "/admin/revoke-user-session": [{ sessionToken: NOBODY }],
  "/admin/revoke-user-sessions": [{ userId: NOBODY }],
  "/admin/impersonate-user": [{ userId: NOBODY }],
  "/admin/remove-user": [{ userId: NOBODY }],
};

const CALLS = withFeatures(OWN_CALLS, ({ calls }) => calls);

test("the table names every call that changes something", () => {
  const changes = Object.entries(clientEndpoints).flatMap(([path, { act }]) => (act ? [path] : []));
  expect(changes.sort()).toEqual(Object.keys(CALLS).sort());
});

for (const [path, inputs] of Object.entries(CALLS)) {
  test(`a stale session's call of ${path} is refused unless it is harmless`, async () => {
    const isOfManagers = path.startsWith("/admin/");
    await makeProofOld(gatehouse, isOfManagers ? admin : owner);

    for (const input of inputs) {
      const answer = await (isOfManagers ? ofAdmin : ofOwner).api(`/api/auth${path}`, input);
      const { code }: { code?: string } = JSON.parse(await answer.text());
      const endpoint = clientEndpoints[path];
      const isProved = needsProof(endpoint?.actFor?.(input) ?? endpoint?.act ?? path);
      expect([input, code === "SESSION_EXPIRED"]).toEqual([input, isProved]);
    }
  });
}

test("a stale manager's call to change an e-mail or roles is refused, as the form is", async () => {
  await makeProofOld(gatehouse, admin);

  for (const data of [{ email: newEmail() }, { role: "support" }]) {
    const answer = await ofAdmin.api("/api/auth/admin/update-user", { userId: target.id, data });
    expect([data, answer.status]).toEqual([data, 403]);
    expect(JSON.parse(await answer.text())).toMatchObject({ code: "SESSION_EXPIRED" });
  }
});
