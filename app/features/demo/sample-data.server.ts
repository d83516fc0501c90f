import { createHash } from "node:crypto";
import { searchKey } from "../../db/fold.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import { DEMO_ACCOUNTS } from "./accounts.ts";
import {
  ARABIC_IN_LATIN,
  DESCRIPTIONS,
  DOMAINS,
  LANGUAGES,
  NAMES,
  REPOSITORY_WORDS,
} from "./sample-words.ts";

const USERS_PER_ORGANIZATION = 12;
const TEAM_NAMES = ["Design", "Engineering", "Support"];

export type SampleSize = { users: number; repositories: number };

/** Size of the sample data that `npm start` puts into an empty local database. */
export const DEFAULT_SIZE: SampleSize = { users: 40, repositories: 25 };
/** Size of a demonstration's sample data: some 30,000 written rows and index entries in one request. */
export const DEMO_SIZE: SampleSize = { users: 600, repositories: 120 };

/** A row, by column name. */
export type Row = Record<string, string | number | null>;

/** The rows of one table for one index: a user, a repository, or the rows of one organization. */
type SampleTable = { table: string; count: number; rowsOf: (index: number) => Row[] };

/**
 * Returns the tables of the sample data in the order they are filled. Row `i` is the same at every size and in every
 * run, so a larger sample contains the smaller ones. Dates are counted back from `today`, the start of a day in
 * milliseconds.
 */
export function sampleTables({ users, repositories }: SampleSize, today: number): SampleTable[] {
  const organizations = Math.floor(users / USERS_PER_ORGANIZATION);
  return [
    { table: "user", count: users, rowsOf: (index) => [sampleUser(index, today)] },
    {
      table: "repository",
      count: repositories,
      rowsOf: (index) => [sampleRepository(index, today)],
    },
    {
      table: "organization",
      count: organizations,
      rowsOf: (index) => [sampleOrganization(index, today)],
    },
    { table: "member", count: organizations, rowsOf: (index) => sampleMembers(index, today) },
    { table: "team", count: organizations, rowsOf: (index) => sampleTeams(index, today) },
    {
      table: "team_member",
      count: organizations,
      rowsOf: (index) => sampleTeamMembers(index, today),
    },
    {
      table: "invitation",
      count: organizations,
      rowsOf: (index) => [sampleInvitation(index, today)],
    },
    { table: "audit_event", count: users, rowsOf: (index) => sampleAuditEvents(index, today) },
  ];
}

/** Rows of the two accounts that a demonstration's login screen offers. */
export function demoAccountRows(today: number): Row[] {
  return Object.entries(DEMO_ACCOUNTS).map(([kind, { name, email, role }]) => {
    const createdAt = today - 90 * DAY_MS;
    return {
      id: `sample-demo-${kind}`,
      name,
      email,
      search_key: searchKey(name, email),
      email_verified: 1,
      role,
      onboarded_at: createdAt,
      created_at: createdAt,
      updated_at: createdAt,
    };
  });
}

function sampleUser(index: number, now: number) {
  const random = randomOf("user", index);
  const language = pick(LANGUAGES, index);
  const [givenNames, familyNames] = NAMES[language];
  const given = Math.floor(random() * givenNames.length);
  const family = Math.floor(random() * familyNames.length);
  const [givenLatin, familyLatin] = language === "ar" ? ARABIC_IN_LATIN : NAMES[language];
  const latinName = `${toLatin(pick(givenLatin, given))}.${toLatin(pick(familyLatin, family))}`;

  // One in twelve has not finished onboarding, and half of those never entered a code. One in 25 is banned.
  const isOnboarded = random() > 1 / 12;
  const isVerified = random() < 1 / 2 || isOnboarded;
  const isBanned = random() < 1 / 25 && isOnboarded;
  const isBannedForGood = random() < 1 / 2;
  const createdAt = momentBefore(now, random);
  const name = isOnboarded ? `${pick(givenNames, given)} ${pick(familyNames, family)}` : "";
  const email = `${latinName}${index + 1}@${pick(DOMAINS, Math.floor(random() * DOMAINS.length))}`;
  return {
    id: userId(index),
    name,
    email,
    search_key: searchKey(name, email),
    email_verified: isVerified ? 1 : 0,
    role: random() < 1 / 50 ? "admin" : "user",
    banned: isBanned ? 1 : 0,
    ban_reason: isBanned ? "Sample: sent unwanted invitations" : null,
    ban_expires: isBanned && !isBannedForGood ? now + 30 * DAY_MS : null,
    onboarded_at: isOnboarded ? createdAt + 60_000 : null,
    language,
    first_seen_at: isOnboarded ? createdAt : null,
    last_seen_at: isOnboarded ? Math.floor(createdAt + (now - createdAt) * random()) : null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

function sampleRepository(index: number, now: number): Row {
  const [first, second] = REPOSITORY_WORDS;
  // 16 first words and 13 second words have no common divisor, so every pair comes once before any repeats.
  const round = Math.floor(index / (first.length * second.length));
  const pair = `${pick(first, index)}-${pick(second, index)}`;
  const name = round === 0 ? pair : `${pair}-${round + 1}`;
  const createdAt = momentBefore(now, randomOf("repository", index));
  const link = `https://git.example.com/sample/${encodeURIComponent(name)}`;
  const description = pick(DESCRIPTIONS, index);
  return {
    id: sampleId("repository", index),
    name,
    // Sample names are lower case and NFC, so each equals its key.
    name_key: name,
    link,
    description,
    search_key: searchKey(name, link, description),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

function sampleOrganization(index: number, now: number): Row {
  const [, families] = NAMES[pick(LANGUAGES, index)];
  return {
    id: organizationId(index),
    name: `${pick(families, Math.floor(index / LANGUAGES.length))} ${index + 1}`,
    slug: `sample-${index + 1}`,
    created_at: foundedAt(index, now),
  };
}

function sampleMembers(organization: number, now: number): Row[] {
  return membersOf(organization).map((user, position) => ({
    id: `sample-member-${organization}-${position}`,
    organization_id: organizationId(organization),
    user_id: userId(user),
    role: ["owner", "admin"][position] ?? "member",
    created_at: foundedAt(organization, now),
  }));
}

function sampleTeams(organization: number, now: number): Row[] {
  return TEAM_NAMES.map((name, team) => ({
    id: teamId(organization, team),
    name,
    organization_id: organizationId(organization),
    member_count: membersOfTeam(organization, team).length,
    created_at: foundedAt(organization, now),
  }));
}

function sampleTeamMembers(organization: number, now: number): Row[] {
  return TEAM_NAMES.flatMap((_, team) =>
    membersOfTeam(organization, team).map((user) => ({
      id: `sample-team-member-${organization}-${team}-${user}`,
      team_id: teamId(organization, team),
      user_id: userId(user),
      membership_key: membershipKey(teamId(organization, team), userId(user)),
      created_at: foundedAt(organization, now),
    })),
  );
}

function sampleInvitation(organization: number, now: number): Row {
  return {
    id: sampleId("invitation", organization),
    organization_id: organizationId(organization),
    email: `guest${organization + 1}@example.net`,
    role: "member",
    status: "pending",
    expires_at: now + 48 * HOUR_MS,
    inviter_id: userId(organization * USERS_PER_ORGANIZATION),
    created_at: now - HOUR_MS,
  };
}

/** Triggers record the creation of each user. This adds the later events of users who have signed in. */
function sampleAuditEvents(user: number, now: number): Row[] {
  const { id, onboarded_at, last_seen_at } = sampleUser(user, now);
  if (onboarded_at === null) return [];
  const common = { actor_id: id, target_type: "user", target_id: id };
  return [
    {
      id: sampleId("onboarding", user),
      action: "user.onboarded",
      ...common,
      created_at: onboarded_at,
    },
    {
      id: sampleId("sign-in", user),
      action: "user.signed_in",
      ...common,
      created_at: last_seen_at,
    },
  ];
}

/** Each organization takes the next twelve users: an owner, an admin and members. */
function membersOf(organization: number) {
  const first = organization * USERS_PER_ORGANIZATION;
  return Array.from({ length: USERS_PER_ORGANIZATION }, (_, position) => first + position);
}

function membersOfTeam(organization: number, team: number) {
  return membersOf(organization).filter((_, position) => position % TEAM_NAMES.length === team);
}

/** Computed as in better-auth, so that it recognises the pair. */
function membershipKey(team: string, user: string) {
  const pair = JSON.stringify([team, user]);
  return createHash("sha256").update(pair).digest("base64url");
}

function userId(index: number) {
  return sampleId("user", index);
}

function organizationId(index: number) {
  return sampleId("organization", index);
}

function teamId(organization: number, team: number) {
  return `${sampleId("team", organization)}-${team}`;
}

function sampleId(kind: string, index: number) {
  return `sample-${kind}-${String(index).padStart(7, "0")}`;
}

function foundedAt(organization: number, now: number) {
  return momentBefore(now, randomOf("organization", organization));
}

/** Returns a random time in the last two years; recent times are likelier. */
function momentBefore(now: number, random: () => number) {
  return Math.floor(now - HOUR_MS - random() ** 2 * 730 * DAY_MS);
}

/** Returns a generator of numbers from 0 to 1, with the same sequence for the same row (mulberry32). */
function randomOf(kind: string, index: number) {
  let state = index * 0x9e3779b1;
  for (const letter of kind) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Spells a name with the letters a to z, for an e-mail. */
function toLatin(name: string) {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "");
}

/** Returns the value at an index; starts over after the last. */
function pick<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T;
}
