import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { faultsUpTo } from "../../../../tests/support/faults.ts";
import {
  aClient,
  organizationClientFor,
  refusalOf,
} from "../../../../tests/support/organization-client.ts";
import { anInvitation, anOrganization, newSlug } from "../../../../tests/support/organizations.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** More calls than any request makes. */
const FAULTS = faultsUpTo(5);

async function anOwner(fault: string) {
  const { user, browser, client } = await aClient(gatehouse);
  return {
    user,
    client,
    faulty: organizationClientFor(gatehouse, browser, { "x-d1-fault": fault }),
  };
}

async function count(sql: string, ...values: string[]): Promise<number | null> {
  return d1
    .prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>("n");
}

async function countEvents(organizationId: string, action: string): Promise<number> {
  return (await auditOf(gatehouse, organizationId)).filter((event) => event.action === action)
    .length;
}

test("an injected fault fails a call", async () => {
  const { faulty } = await anOwner("2 before");

  expect(await refusalOf(faulty.create({ name: "Acme", slug: newSlug() }))).toBe(
    "503 DATABASE_UNAVAILABLE",
  );
});

test.each(FAULTS)("create writes all or nothing with a fault at call %s", async (fault) => {
  const { user, client, faulty } = await anOwner(fault);
  const input = { name: "Acme", slug: newSlug() };

  const first = await refusalOf(faulty.create(input));
  const made = await count("organization WHERE slug = ?", input.slug);
  const whole = [
    await count("member WHERE user_id = ?", user.id),
    await count("session WHERE user_id = ? AND active_organization_id IS NOT NULL", user.id),
    await count("audit_event WHERE actor_id = ? AND action = 'organization.created'", user.id),
  ];
  expect(whole).toEqual(Array(3).fill(made));

  if (first !== "ok") {
    expect(first).toMatch(/^5\d\d /);
    // The slug is free, or taken by the organization that was made.
    const again = made === 1 ? "400 ORGANIZATION_ALREADY_EXISTS" : "ok";
    expect(await refusalOf(client.create(input))).toBe(again);
  }
  expect(await count("member WHERE user_id = ? AND role = 'owner'", user.id)).toBe(1);
});

test.each(FAULTS)("invite-member writes all or nothing with a fault at call %s", async (fault) => {
  const { user, client, faulty } = await anOwner(fault);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const organizationId = organization.id;
  const input = { organizationId, email: newEmail("invited"), role: "member" } as const;

  const first = await refusalOf(faulty.inviteMember(input));
  const made = await count("invitation WHERE organization_id = ?", organizationId);
  expect(await count("mail_outbox WHERE recipient = ?", input.email)).toBe(made);
  expect(await countEvents(organizationId, "invitation.sent")).toBe(made);

  if (first !== "ok") {
    expect(first).toMatch(/^5\d\d /);
    const again = made === 1 ? "400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION" : "ok";
    expect(await refusalOf(client.inviteMember(input))).toBe(again);
  }
  expect(await count("mail_outbox WHERE recipient = ?", input.email)).toBe(1);
});

test.each(FAULTS)(
  "accept-invitation writes all or nothing with a fault at call %s",
  async (fault) => {
    const { user, client, faulty } = await anOwner(fault);
    const { organization, ownerId } = await anOrganization(gatehouse);
    const { id: invitationId } = await anInvitation(gatehouse, {
      organization_id: organization.id,
      inviter_id: ownerId,
      email: user.email,
    });

    const first = await refusalOf(faulty.acceptInvitation({ invitationId }));
    const accepted = await count("invitation WHERE id = ? AND status = 'accepted'", invitationId);
    const whole = [
      await count("member WHERE user_id = ?", user.id),
      await count("session WHERE user_id = ? AND active_organization_id IS NOT NULL", user.id),
      await countEvents(organization.id, "member.joined"),
    ];
    expect(whole).toEqual(Array(3).fill(accepted));

    if (first !== "ok") {
      expect(first).toMatch(/^5\d\d /);
      const again = accepted === 1 ? "400 INVITATION_NOT_FOUND" : "ok";
      expect(await refusalOf(client.acceptInvitation({ invitationId }))).toBe(again);
    }
    expect(await count("member WHERE user_id = ?", user.id)).toBe(1);
  },
);
