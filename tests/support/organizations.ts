import { searchKey } from "../../app/db/fold.ts";
import { insertRows } from "./insert.ts";
import { aUser, newEmail, type Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

const INVITATION_MS = 7 * 86_400_000;

/** A row of the organization table. */
export type OrganizationRow = {
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  metadata: string | null;
  created_at: number;
  updated_at: number;
  version: number;
  disabled_at: number | null;
  disabled_reason: string | null;
  deletion_due_at: number | null;
  last_activity_at: number;
  search_key: string;
};

/** A row of the member table. */
export type MemberRow = {
  id: string;
  organization_id: string;
  user_id: string;
  role: "owner" | "admin" | "member";
  created_at: number;
};

/** A row of the invitation table. */
export type InvitationRow = {
  id: string;
  organization_id: string;
  email: string;
  role: "owner" | "admin" | "member" | null;
  team_id: string | null;
  status: "pending" | "accepted" | "rejected" | "canceled";
  expires_at: number;
  inviter_id: string;
  created_at: number;
  sent_at: number;
  sends: number;
  answered_at: number | null;
};

/** What an organization is filled with. */
export type OrganizationParts = {
  /** The owner; by default a new user. */
  owner?: Pick<Person, "id">;
  admins?: Pick<Person, "id">[];
  members?: Pick<Person, "id">[];
  /** Invitations by the owner; `{}` is an open one to a new e-mail. */
  invitations?: Partial<InvitationRow>[];
};

let organizations = 0;

/** Returns a slug that no other organization has. */
export function newSlug(slug = "acme"): string {
  organizations += 1;
  return `${slug}-${organizations}`;
}

/**
 * Inserts an organization with an owner.
 * `overrides` replace single columns. Returns the rows.
 */
export async function anOrganization(
  gatehouse: Pick<Gatehouse, "d1">,
  overrides: Partial<OrganizationRow> = {},
  parts: OrganizationParts = {},
) {
  const organization = newOrganization(overrides);
  const { admins = [], members: others = [], invitations: open = [] } = parts;
  const owner = parts.owner ?? (await aUser(gatehouse, { name: "Olga Owner" }));
  const own = { organization_id: organization.id };
  const members = [
    newMember({ ...own, user_id: owner.id, role: "owner" }),
    ...admins.map(({ id }) => newMember({ ...own, user_id: id, role: "admin" })),
    ...others.map(({ id }) => newMember({ ...own, user_id: id })),
  ];
  const invitations = open.map((row) => newInvitation({ ...own, inviter_id: owner.id, ...row }));
  await insertRows(gatehouse.d1, "organization", [organization]);
  await insertRows(gatehouse.d1, "member", members);
  if (invitations.length > 0) await insertRows(gatehouse.d1, "invitation", invitations);
  return { organization, ownerId: owner.id, members, invitations };
}

/** Inserts a membership; `role` is "member" without another one. */
export async function aMember(
  gatehouse: Pick<Gatehouse, "d1">,
  values: Pick<MemberRow, "organization_id" | "user_id"> & Partial<MemberRow>,
): Promise<MemberRow> {
  const row = newMember(values);
  await insertRows(gatehouse.d1, "member", [row]);
  return row;
}

/** Inserts an open invitation; `overrides` replace single columns. */
export async function anInvitation(
  gatehouse: Pick<Gatehouse, "d1">,
  values: Pick<InvitationRow, "organization_id" | "inviter_id"> & Partial<InvitationRow>,
): Promise<InvitationRow> {
  const row = newInvitation(values);
  await insertRows(gatehouse.d1, "invitation", [row]);
  return row;
}

function newOrganization(overrides: Partial<OrganizationRow>): OrganizationRow {
  const now = Date.now();
  const slug = overrides.slug ?? newSlug();
  const row: Omit<OrganizationRow, "search_key"> = {
    id: crypto.randomUUID(),
    name: `Acme ${slug}`,
    slug,
    logo: null,
    metadata: null,
    created_at: now,
    updated_at: now,
    version: 1,
    disabled_at: null,
    disabled_reason: null,
    deletion_due_at: null,
    last_activity_at: now,
    ...overrides,
  };
  return { search_key: searchKey(row.name, row.slug), ...row };
}

function newMember(
  values: Pick<MemberRow, "organization_id" | "user_id"> & Partial<MemberRow>,
): MemberRow {
  return { id: crypto.randomUUID(), role: "member", created_at: Date.now(), ...values };
}

function newInvitation(
  values: Pick<InvitationRow, "organization_id" | "inviter_id"> & Partial<InvitationRow>,
): InvitationRow {
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    email: newEmail("invited"),
    role: "member",
    team_id: null,
    status: "pending",
    expires_at: now + INVITATION_MS,
    created_at: now,
    sent_at: now,
    sends: 1,
    answered_at: null,
    ...values,
  };
}
