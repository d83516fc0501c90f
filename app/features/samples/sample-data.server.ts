import { searchKey } from "../../db/fold.ts";
import { DAY_MS } from "../../values/time.ts";
import { organizationTables } from "./sample-organizations.server.ts";
import {
  momentBefore,
  pick,
  type Row,
  randomOf,
  type SampleTable,
  sampleId,
  userId,
} from "./sample-rows.ts";
import { ARABIC_IN_LATIN, DOMAINS, LANGUAGES, NAMES } from "./sample-words.ts";

/** `things` are the rows of each subject. */
export type SampleSize = { users: number; organizations: number; things: number };

/** Returns the tables that a feature fills. */
export type Samples = (size: SampleSize, today: number) => readonly SampleTable[];

/** Size of the sample data that `npm start` puts into an empty local database. */
export const DEFAULT_SIZE: SampleSize = { users: 40, organizations: 6, things: 25 };

/**
 * Returns the tables of the core's sample data in the order they are filled. Row `i` is the same at
 * every size and in every run, so a larger sample contains the smaller ones. Dates are counted back
 * from `today`, the start of a day in milliseconds.
 */
export function sampleTables(size: SampleSize, today: number): SampleTable[] {
  const { users } = size;
  return [
    { table: "user", count: users, rowsOf: (index) => [sampleUser(index, today)] },
    ...organizationTables(size, today),
    { table: "audit_event", count: users, rowsOf: (index) => sampleAuditEvents(index, today) },
  ];
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
    last_seen_at: isOnboarded ? Math.floor(createdAt + (now - createdAt) * random()) : null,
    created_at: createdAt,
    updated_at: createdAt,
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

/** Spells a name with the letters a to z, for an e-mail. */
function toLatin(name: string) {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z]/g, "");
}
