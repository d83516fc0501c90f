import { searchKey } from "../../db/fold.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import {
  momentBefore,
  pick,
  type Row,
  randomOf,
  type SampleTable,
  sampleId,
  userId,
} from "./sample-rows.ts";
import { LANGUAGES, NAMES } from "./sample-words.ts";

/** Members of the largest organization. Neighbours share members, so a user is in so many organizations at most. */
export const MOST_MEMBERS = 8;
const FEWEST_MEMBERS = 3;

/** Returns the most organizations that a sample with so many users can have. */
export function mostOrganizations(users: number): number {
  return Math.max(0, users - MOST_MEMBERS);
}

type OrganizationSize = Record<"users" | "organizations", number>;

/** Returns the tables of organizations and their members, in the order they are filled. */
export function organizationTables(size: OrganizationSize, today: number): SampleTable[] {
  return tablesOfOrganizations(size, today, {
    organization: (index) => [sampleOrganization(index, today)],
    member: sampleMembers,
    invitation: (index) => [sampleInvitation(index, today)],
    audit_event: sampleOrganizationEvents,
  });
}

/** Returns tables with rows of each organization. */
export function tablesOfOrganizations(
  { users, organizations }: OrganizationSize,
  today: number,
  tables: Record<string, (organization: number, today: number) => Row[]>,
): SampleTable[] {
  const count = Math.min(organizations, mostOrganizations(users));
  return Object.entries(tables).map(([table, rowsOf]) => ({
    table,
    count,
    rowsOf: (index) => rowsOf(index, today),
  }));
}

function sampleOrganization(index: number, now: number): Row {
  const [, families] = NAMES[pick(LANGUAGES, index)];
  const name = `${pick(families, Math.floor(index / LANGUAGES.length))} ${index + 1}`;
  const slug = `sample-${index + 1}`;
  const isDisabled = index % 25 === 11;
  const foundedOn = foundedAt(index, now);
  return {
    id: organizationId(index),
    name,
    slug,
    search_key: searchKey(name, slug),
    disabled_at: isDisabled ? now - HOUR_MS : null,
    disabled_reason: isDisabled ? "Sample: unpaid bills" : null,
    deletion_due_at: index % 25 === 17 ? now + 6 * DAY_MS : null,
    created_at: foundedOn,
    updated_at: foundedOn,
  };
}

function sampleMembers(organization: number, now: number): Row[] {
  return membersOf(organization).map((user, position) => ({
    id: sampleId("member", organization * MOST_MEMBERS + position),
    organization_id: organizationId(organization),
    user_id: userId(user),
    role: ["owner", "admin"][position] ?? "member",
    created_at: foundedAt(organization, now),
  }));
}

/** Two of three organizations have an open invitation; in the third it was accepted. */
function sampleInvitation(organization: number, now: number): Row {
  const isOpen = organization % 3 < 2;
  const sentAt = now - (isOpen ? HOUR_MS : 30 * DAY_MS);
  return {
    id: sampleId("invitation", organization),
    organization_id: organizationId(organization),
    email: `guest${organization + 1}@example.net`,
    role: "member",
    status: isOpen ? "pending" : "accepted",
    expires_at: sentAt + 49 * HOUR_MS,
    inviter_id: userId(organization),
    created_at: sentAt,
    sent_at: sentAt,
    answered_at: isOpen ? null : sentAt + HOUR_MS,
  };
}

/** The creation of an organization, and the last member who joined. */
function sampleOrganizationEvents(organization: number, now: number): Row[] {
  const foundedOn = foundedAt(organization, now);
  const share = randomOf("joined", organization)();
  const common = { target_type: "organization", target_id: organizationId(organization) };
  return [
    {
      id: sampleId("founding", organization),
      action: "organization.created",
      actor_id: userId(organization),
      ...common,
      created_at: foundedOn,
    },
    {
      id: sampleId("joining", organization),
      action: "member.joined",
      actor_id: userId(membersOf(organization).at(-1) ?? organization),
      ...common,
      created_at: Math.floor(foundedOn + (now - HOUR_MS - foundedOn) * share),
    },
  ];
}

/** An owner, an admin and members. Each organization begins with the next user, so neighbours share members. */
export function membersOf(organization: number) {
  const count = FEWEST_MEMBERS + (organization % (MOST_MEMBERS - FEWEST_MEMBERS + 1));
  return Array.from({ length: count }, (_, position) => organization + position);
}

export function organizationId(index: number) {
  return sampleId("organization", index);
}

/** Returns when an organization was created. */
export function foundedAt(organization: number, now: number) {
  return momentBefore(now, randomOf("organization", organization));
}
