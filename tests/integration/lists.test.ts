import { expect, test } from "vitest";
import { createDb } from "../../app/db/db.server.ts";
import { foldForSearch, searchKey } from "../../app/db/fold.ts";
import {
  ORGANIZATION_SORTS,
  STATE_FILTERS,
} from "../../app/features/organizations/office/list-options.ts";
import { organizations } from "../../app/features/organizations/office/organization-list.server.ts";
import {
  ROLE_FILTERS,
  STATUS_FILTERS,
  USER_SORTS,
} from "../../app/features/users/list/filter-options.ts";
import { type UserStatus, users } from "../../app/features/users/list/user-queries.server.ts";
import { dayOf } from "../../app/values/time.ts";
import { insertRows } from "../support/insert.ts";
import { inTurn } from "../support/matrix.ts";
import { sorted } from "../support/sorting.ts";
import { openSqlite } from "../support/sqlite-d1.ts";

const DAY_MS = 86_400_000;
const NOW = new Date("2026-06-15T12:00:00Z");

const d1 = openSqlite();
const db = createDb(d1);

type Person = {
  id: string;
  name: string;
  email: string;
  search_key: string;
  role: string;
  banned: number;
  ban_expires: number | null;
  onboarded_at: number | null;
  email_verified: number;
  created_at: number;
  last_seen_at: number | null;
};

const DIRECTIONS = ["asc", "desc"] as const;

/**
 * 24,000 users, so that the tests cover both ways to read a list: "common" matches all of them, which is too many to
 * sort, "sooty" 12,000, "rare" 280, "q" fourteen. Values repeat and many are null, so that the id decides the order and
 * cursors fall among nulls.
 */
const PEOPLE: Person[] = Array.from({ length: 24_000 }, (_, index) => {
  const has = (one: number, of: number) => (index * 7919 + one * 104_729) % of === 0;
  const isOnboarded = !has(1, 9);
  const words = [index % 2 ? "sooty" : "Émile", has(2, 85) && "rare", has(3, 1700) && "q"];
  const name = isOnboarded ? [...words, index % 40].filter(Boolean).join(" ") : "";
  const email = `${[...words].filter(Boolean).join("-")}.common${index}@example.com`.toLowerCase();
  const createdAt = NOW.getTime() - (index % 200) * DAY_MS;
  return {
    id: `person-${(index * 31) % 24_000}-${index}`,
    name,
    email,
    search_key: searchKey(name, email),
    role: has(4, 50) ? "admin" : "user",
    banned: has(5, 12) ? 1 : 0,
    ban_expires: has(5, 12) && has(6, 2) ? NOW.getTime() + (has(7, 2) ? 1 : -1) * DAY_MS : null,
    onboarded_at: isOnboarded ? createdAt : null,
    email_verified: has(8, 15) ? 0 : 1,
    created_at: createdAt,
    last_seen_at: has(9, 4) ? null : NOW.getTime() - (index % 100) * DAY_MS,
  };
});
await insertRows(
  d1,
  "user",
  PEOPLE.map((person) => ({ ...person, updated_at: 0 })),
);

/** 4,200 organizations; few are disabled or being deleted, a third has open invitations, half is inactive. */
const ORGANIZATIONS = Array.from({ length: 4_200 }, (_, index) => {
  const has = (one: number, of: number) => (index * 7919 + one * 104_729) % of === 0;
  const name = [index % 2 ? "sooty" : "Émile", has(1, 85) && "rare", index % 60]
    .filter((word) => word !== false)
    .join(" ");
  const slug = `common-${index}`;
  return {
    id: `organization-${(index * 31) % 4_200}-${index}`,
    name,
    slug,
    search_key: searchKey(name, slug),
    created_at: NOW.getTime() - (index % 200) * DAY_MS,
    last_activity_at: has(2, 7) ? null : NOW.getTime() - (index % 60) * DAY_MS - 1,
    member_count: index % 23,
    disabled_at: has(5, 150) ? 1 : null,
    deletion_due_at: has(6, 190) ? 1 : null,
  };
});
await insertRows(d1, "organization", ORGANIZATIONS);

/** A third of the organizations has an invitation, and half of these are open. */
const INVITATIONS = ORGANIZATIONS.filter((_, index) => index % 3 === 0).map(({ id }, index) => ({
  id: `invitation-${id}`,
  organization_id: id,
  email: "a@b.cd",
  status: "pending",
  inviter_id: PEOPLE[0]?.id ?? "",
  created_at: 1,
  sent_at: 1,
  expires_at: NOW.getTime() + (index % 2 === 0 ? 1 : -1) * DAY_MS,
}));
await insertRows(d1, "invitation", INVITATIONS);
const INVITED = new Set(
  INVITATIONS.filter((one) => one.expires_at > NOW.getTime()).map((one) => one.organization_id),
);

const VALUES: Record<(typeof USER_SORTS)[number], (person: Person) => string | number | null> = {
  created: (person) => person.created_at,
  name: (person) => person.name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  email: (person) => person.email,
  seen: (person) => person.last_seen_at,
};

function statusOf(person: Person): UserStatus {
  const isBanned = person.banned && (person.ban_expires ?? Infinity) > NOW.getTime();
  if (isBanned) return "banned";
  if (person.onboarded_at === null) return "not-onboarded";
  return person.email_verified ? "active" : "unverified";
}

const DAYS = { from: dayOf(new Date(NOW.getTime() - 60 * DAY_MS)), to: dayOf(NOW) };
/** A range with too many users to sort. */
const MANY_DAYS = { from: dayOf(new Date(NOW.getTime() - 190 * DAY_MS)) };
const SEEN_LONG_AGO = { seenTo: dayOf(new Date(NOW.getTime() - 15 * DAY_MS)) };
const ONE_DAY = { from: dayOf(NOW), to: dayOf(NOW) };

const FILTERS: Record<string, string>[] = [
  {},
  ...ROLE_FILTERS.map((role) => ({ role })),
  ...STATUS_FILTERS.map((status) => ({ status })),
  { role: "admin", status: "active" },
  { role: "admin", status: "not-onboarded" },
  DAYS,
  { ...ONE_DAY, status: "active" },
  { seenFrom: DAYS.from },
  { seenFrom: ONE_DAY.from, seenTo: ONE_DAY.to, role: "user" },
  { ...DAYS, seenTo: DAYS.from, status: "banned" },
  MANY_DAYS,
  SEEN_LONG_AGO,
  { ...MANY_DAYS, ...SEEN_LONG_AGO },
];

/** True when a person meets the filters. */
function meets(person: Person, filters: Record<string, string>): boolean {
  const isWithin = (moment: number | null, from = "", to = "") => {
    const day = moment === null ? undefined : dayOf(new Date(moment));
    return (!from || (day ?? "") >= from) && (!to || (day !== undefined && day <= to));
  };
  return (
    (!filters.role || filters.role === person.role) &&
    (!filters.status ||
      (filters.status === "never-signed-in"
        ? person.last_seen_at === null
        : filters.status === statusOf(person))) &&
    isWithin(person.created_at, filters.from, filters.to) &&
    isWithin(person.last_seen_at, filters.seenFrom, filters.seenTo)
  );
}

/** Loads a list cursor by cursor, ten pages at once. */
async function walkUsers(search: URLSearchParams, chunks: number) {
  const ids: string[] = [];
  let total: unknown;
  let after: string | undefined;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const params = new URLSearchParams([...search, ["pages", "10"]]);
    if (after) params.set("after", after);
    const { rows, state } = await users.load(db, new URL(`http://localhost/?${params}`), {
      now: NOW,
    });
    ids.push(...rows.map(({ id }) => id));
    total ??= state.total;
    after = state.more?.after;
    if (!after) break;
  }
  return { ids, total };
}

/**
 * True when a search finds a key by a term: a longer term occurs anywhere, a short one begins one of the first `lines`:
 * of a user name and e-mail.
 */
function has(key: string, term: string, lines = 2): boolean {
  if ([...term].length > 2 || term === "") return key.includes(term);
  return key
    .split("\n")
    .slice(0, lines)
    .some((line) => line.startsWith(term));
}

/** The ids of all users in each order. */
const ORDERED = USER_SORTS.flatMap((sort) =>
  DIRECTIONS.map((direction) => ({
    sort,
    direction,
    ids: sorted(PEOPLE, VALUES[sort], direction),
  })),
);

function inOrder(rows: Person[], asked: { sort: string; direction: string }): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const order = ORDERED.find(
    ({ sort, direction }) => sort === asked.sort && direction === asked.direction,
  );
  return order?.ids.filter((id) => ids.has(id)) ?? [];
}

test.each(["", "q", "ra", "É", "so", "zz", "rare", "sooty", "common", "émile r", "nobody"])(
  "the user list searched for %j has the expected rows and total, for every filter and order",
  async (searchTerm) => {
    const term = foldForSearch(searchTerm);
    for (const [row, filters] of FILTERS.entries()) {
      const matching = PEOPLE.filter(
        (person) => has(person.search_key, term) && meets(person, filters),
      );
      for (const [column, sort] of USER_SORTS.entries()) {
        for (const direction of inTurn(DIRECTIONS, row + column)) {
          const search = new URLSearchParams({ ...filters, searchTerm, sort, direction });
          const { ids, total } = await walkUsers(search, 2);
          const expected = inOrder(matching, { sort, direction });
          expect([`${search}`, ids]).toEqual([`${search}`, expected.slice(0, ids.length)]);
          expect(ids.length).toBe(Math.min(expected.length, 400));
          const isCapped =
            expected.length > 1_000 && (searchTerm !== "" || Object.keys(filters).length > 0);
          expect([`${search}`, total]).toEqual([
            `${search}`,
            { count: isCapped ? 1_000 : expected.length, isCapped },
          ]);
        }
      }
    }
  },
);

const ORGANIZATION_VALUES = {
  created: (row: (typeof ORGANIZATIONS)[number]) => row.created_at,
  name: (row: (typeof ORGANIZATIONS)[number]) =>
    row.name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  activity: (row: (typeof ORGANIZATIONS)[number]) => row.last_activity_at,
  members: (row: (typeof ORGANIZATIONS)[number]) => row.member_count,
};

const IN_STATE = {
  invited: (row: (typeof ORGANIZATIONS)[number]) => INVITED.has(row.id),
  inactive: ({ last_activity_at }: (typeof ORGANIZATIONS)[number]) =>
    last_activity_at !== null && last_activity_at < NOW.getTime() - 30 * DAY_MS,
  disabled: (row: (typeof ORGANIZATIONS)[number]) => row.disabled_at !== null,
  deletion: (row: (typeof ORGANIZATIONS)[number]) => row.deletion_due_at !== null,
};

test.each(["", "4", "zz", "rare", "sooty", "common", "nobody"])(
  "the organization list searched for %j has the expected rows and total, for every filter and order",
  async (searchTerm) => {
    for (const [row, state] of [undefined, ...STATE_FILTERS].entries()) {
      const matching = ORGANIZATIONS.filter(
        (row) => has(row.search_key, searchTerm) && (state === undefined || IN_STATE[state](row)),
      );
      for (const [column, sort] of ORGANIZATION_SORTS.entries()) {
        for (const direction of inTurn(DIRECTIONS, row + column)) {
          const search = new URLSearchParams({ searchTerm, sort, direction, pages: "10" });
          if (state) search.set("state", state);
          const url = (more = "") => new URL(`http://localhost/?${search}${more}`);
          const first = await organizations.load(db, url(), { now: NOW });
          const after = first.state.more?.after;
          const next = after
            ? await organizations.load(db, url(`&after=${after}`), { now: NOW })
            : undefined;
          const ids = [...first.rows, ...(next?.rows ?? [])].map(({ id }) => id);
          const expected = sorted(matching, ORGANIZATION_VALUES[sort], direction);
          expect([`${search}`, ids]).toEqual([`${search}`, expected.slice(0, 400)]);
          const isCapped = expected.length > 1_000 && (searchTerm !== "" || state !== undefined);
          expect([`${search}`, first.state.total]).toEqual([
            `${search}`,
            { count: isCapped ? 1_000 : expected.length, isCapped },
          ]);
        }
      }
    }
  },
);
