import {
  ORGANIZATION_SORTS,
  STATE_FILTERS,
} from "../../app/features/organizations/office/list-options.ts";
import { USER_SORTS } from "../../app/features/users/list/filter-options.ts";
import { dayOf } from "../../app/values/time.ts";
import type { ROW_BOUNDS } from "../../bench/bounds.ts";
import { FEATURE_TESTS, type FeatureLists } from "./feature-tests.ts";

const DAY_MS = 86_400_000;

/** What the rows of a page are bound by. */
export type RowBudget = keyof typeof ROW_BOUNDS;

export type ListPage = { path: string; budget: RowBudget };

/** Sample rows that the combinations refer to. */
type Samples = {
  /** Terms by the number of rows that they find. */
  terms: {
    most: string;
    many: string;
    few: string;
    otherScript: string;
    short: string;
    shortMost: string;
  };
  organizationTerms: { most: string; many: string; few: string; short: string };
  /** A day with rows before and after it. */
  today: Date;
  user: { id: string; email: string };
  /** The id of another thing that an event is about. */
  target: string;
  /** Cursors in the middle of the user list, in the default order and by name. */
  cursors: { created: string; name: string };
};

type Params = Record<string, string>;

/** Returns every combination of filter, order and term of every list, and the dashboard. */
export function listPages(samples: Samples): ListPage[] {
  return [
    { path: "/manager/dashboard", budget: "dashboard" },
    { path: "/manager/dashboard?days=90", budget: "quarter" },
    ...userPages(samples),
    ...organizationPages(samples),
    ...FEATURE_TESTS.flatMap(({ lists }) => (lists ? pagesOfFeature(lists) : [])),
    ...auditPages(samples),
    ...mailPages(samples),
  ];
}

function userPages({ terms, today, cursors }: Samples): ListPage[] {
  const roles: Params[] = [{}, { role: "admin" }, { role: "auditor" }, { role: "user" }];
  const statuses: Params[] = [
    {},
    ...["active", "banned", "not-onboarded", "unverified", "never-signed-in"].map((status) => ({
      status,
    })),
  ];
  const days: Params[] = [
    {},
    { from: dayBefore(today, 30) },
    { from: dayBefore(today, 330), to: dayBefore(today, 300) },
    { seenFrom: dayBefore(today, 7) },
    { seenTo: dayBefore(today, 300) },
  ];
  const filters = combine(combine(roles, statuses), days);
  const orders: Params[] = [
    ...USER_SORTS.flatMap((sort) => [
      { sort, direction: "desc" },
      { sort, direction: "asc" },
    ]),
    { sort: "created", direction: "desc", after: cursors.created },
    { sort: "name", direction: "asc", after: cursors.name },
  ];
  return combine(combine(filters, orders), termsOf(Object.values(terms))).map((params) => {
    const { sort, direction, after, searchTerm = "", ...filter } = params;
    const [name, ...more] = Object.keys(filter);
    const isAlone = more.length === 0 && (name === "role" || name === "status");
    return {
      path: pathOf("/manager/users", params),
      budget: budgetOf({
        term: sizeOf(searchTerm, terms),
        order: sort === "created" ? "first" : sort === "name" ? "name" : "other",
        filter: name === undefined ? "none" : isAlone ? "role or status" : "more",
      }),
    };
  });
}

function organizationPages({ organizationTerms }: Samples): ListPage[] {
  const states: Params[] = [{}, ...STATE_FILTERS.map((state) => ({ state }))];
  const orders = ORGANIZATION_SORTS.flatMap((sort) => [
    { sort, direction: "desc" },
    { sort, direction: "asc" },
  ]);
  const terms = termsOf(Object.values(organizationTerms));
  return combine(combine(states, orders), terms).map((params) => {
    const { sort, state, searchTerm = "" } = params;
    const order = sort === "created" ? "first" : sort === "name" ? "name" : "other";
    return {
      path: pathOf("/manager/organizations", params),
      budget: budgetOf({
        term: sizeOf(searchTerm, organizationTerms),
        order,
        filter: state ? "more" : "none",
      }),
    };
  });
}

function pagesOfFeature({ paths, sorts, term }: FeatureLists): ListPage[] {
  const orders = sorts.flatMap((sort) => [
    { sort, direction: "desc" },
    { sort, direction: "asc" },
  ]);
  return paths.flatMap((list) =>
    combine(orders, termsOf([term, term.slice(0, 2)])).map((params) => {
      const { sort, searchTerm = "" } = params;
      const order = sort === sorts[0] ? "first" : sort === "name" ? "name" : "other";
      return {
        path: pathOf(list, params),
        budget: budgetOf({ term: searchTerm ? "many" : "none", order, filter: "none" }),
      };
    }),
  );
}

function auditPages({ user, target, today }: Samples): ListPage[] {
  const actors: Params[] = [{}, { actor: user.id }, { actor: user.email }, { actor: "nobody" }];
  const targets: Params[] = [{}, { target: user.id }, { target: user.email }, { target }];
  const actions = ["", "user.signed_in", "user.created", "user.banned"].map(
    (action): Params => (action ? { action } : {}),
  );
  const days: Params[] = [{}, { from: dayBefore(today, 30) }, { to: dayBefore(today, 300) }];
  const filters = combine(combine(combine(actors, targets), actions), days);
  return filters.map((params) => ({ path: pathOf("/manager/audit", params), budget: "everyday" }));
}

function mailPages({ user, today }: Samples): ListPage[] {
  const kinds: Params[] = [{}, { kind: "login-code" }, { kind: "new-device" }];
  const states: Params[] = [{}, ...["waiting", "sent", "failed"].map((state) => ({ state }))];
  const days: Params[] = [{}, { from: dayBefore(today, 2) }, { to: dayBefore(today, 20) }];
  const terms: Params[] = [{}, { searchTerm: user.email }, { searchTerm: "nobody@example.com" }];
  const filters = combine(combine(combine(kinds, states), days), terms);
  return filters.map((params) => ({ path: pathOf("/manager/mail", params), budget: "everyday" }));
}

/** What a page's budget depends on. */
type Shape = {
  /** How many rows the term finds. */
  term: "none" | "few" | "many";
  order: "first" | "name" | "other";
  filter: "none" | "role or status" | "more";
};

function budgetOf({ term, order, filter }: Shape): RowBudget {
  if (term === "few") return order === "first" && filter === "none" ? "everyday" : "other";
  if (term === "many" || order === "other") return "other";
  if (filter === "none") return "everyday";
  return filter === "role or status" && order === "first" ? "everyday" : "other";
}

function sizeOf(searchTerm: string, { few }: { few: string }): Shape["term"] {
  if (searchTerm === "") return "none";
  return [few, "nobody-has-this", UNMATCHED].includes(searchTerm) ? "few" : "many";
}

/** Two letters that no name and no e-mail of a sample begins with. */
export const UNMATCHED = "zq";

function termsOf(found: string[]): Params[] {
  return [{}, ...[...found, "nobody-has-this", UNMATCHED].map((searchTerm) => ({ searchTerm }))];
}

function combine(some: Params[], others: Params[]): Params[] {
  return some.flatMap((one) => others.map((other) => ({ ...one, ...other })));
}

function pathOf(list: string, params: Params): string {
  const search = new URLSearchParams(params).toString();
  return search ? `${list}?${search}` : list;
}

function dayBefore(today: Date, days: number): string {
  return dayOf(new Date(today.getTime() - days * DAY_MS));
}
