import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { z } from "zod";
import type { Act } from "../../app/features/access/act.ts";
import type { ApiError } from "../../app/features/access/api-endpoint.ts";
import type { Role as ManagerRole } from "../../app/features/access/role-names.ts";
import { FEATURES } from "../../app/features.ts";
import type { Row } from "./access-rows.ts";
import type { Browser } from "./client.ts";
import type { OrganizationRow } from "./organizations.ts";
import type { Person } from "./people.ts";
import type { Screen, Setting } from "./screen.ts";
import type { StockCases, StockSides } from "./stock-sides.ts";
import type { Gatehouse } from "./worker.ts";

/** What a form does and what it sends. An act that is a permission goes by its name. */
export type Post = readonly [act: Act | string, fields: Record<string, string>];

export function nameOf(act: Act | string): string {
  return typeof act === "string" ? act : act.name;
}

/** A command of the back-office that its form gives, and who may give it. */
export type Command = [
  name: string,
  path: string,
  fields: Record<string, string>,
  allowed: ManagerRole[],
];

/** What endpoints that take more than reading change. */
export const SUBJECTS = [
  "a sign-in by code",
  "cookies alone",
  "another sign-in or proof",
  "the active organization of a session",
  "the own account",
  "an organization",
  "the back-office",
  "what programs and the mail provider change",
  "nothing",
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What may end what a person has left open. */
export const ENDINGS = [
  "nothing",
  "a ban",
  "a removal from the organization",
  "a demotion",
  "a demotion, and the role once more",
  "a demotion in the organization",
  "the end of all sessions",
  "the removal of the passkey",
  "the grace period of a deletion",
  "the erasure of the account",
] as const;

/** Whether something that was left open still works, by the ids of its rows, and what ends it. */
type Probe = {
  works: (gatehouse: Gatehouse, left: Record<string, string>) => Promise<boolean>;
  endsBy: readonly (typeof ENDINGS)[number][];
};

/** Texts on a screen, of a person who opens it. */
export type Shown = [name: string, browser: Browser, ask: (browser: Browser) => Promise<Response>];

/** What a key may do, and the only organization that it works in. */
export type KeyOptions = { permissions: Record<string, string[]>; organizationId?: string };

/** A call of better-auth's client that names an organization. What it sends changes nothing, or to what is there. */
export type OrganizationCall = {
  path: string;
  /** The body of a POST, or the query of a GET; `id` is the organization's. */
  input: (id: string, slug: string) => Record<string, unknown>;
  isGet?: boolean;
  /** Who is let in; the others are refused. Nobody where what it names does not exist. */
  open: readonly ("owner" | "admin" | "member" | "foreign" | "none" | "out")[];
  /** The audit event that it never leaves. */
  never?: string;
};

type Organization = Pick<OrganizationRow, "id" | "slug">;
type Insert = (table: string, row: Record<string, string | number | null>) => Promise<unknown>;

/** Lists of a feature, in a product with many rows. */
export type FeatureLists = {
  paths: readonly string[];
  /** Their orders, the one first that they have without a choice. */
  sorts: readonly string[];
  /** A term that each of these rows has, and many of the sample data. */
  term: string;
  /** Makes thousands of rows, the newest at this moment. */
  fill: (d1: D1Database, now: number) => Promise<unknown>;
};

/**
 * What a feature tells the tests of the whole product, in `app/features/NAME/tests/facts.ts`. They are expectations,
 * written beside the feature. `Ids` are those of the rows that `seed` makes.
 */
export type FeatureTests<Ids extends Record<string, string> = Record<string, string>> = {
  /** The outcome of each of its URLs for every role. */
  access?: Record<string, Row>;
  /** Who may open each of its URLs in the back-office. */
  managers?: Record<string, readonly ManagerRole[]>;
  commands?: readonly Command[];
  /** Its forms by URL: their schema, or the fields of each where no schema can be read. */
  forms?: Record<string, z.core.$ZodType | Record<string, string>[]>;
  /** What is written into fields of its forms, and of its forms alone where it looks at the URL's pattern. */
  fields?: (
    aim: { email: string },
    form: { d1: D1Database; pattern: string; ids: Record<string, string> },
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** What its forms do by URL, each with fields that its schema takes. */
  acts?: Record<string, readonly Post[]>;
  /** What each of its harmless acts leaves behind for a later, proved one, and why that one does not take it unseen. */
  leftBehind?: Record<string, string>;
  /** The permission that each of its files for managers needs. */
  exports?: Record<string, string>;
  /** Its URLs below `/api` that are no calls with a key or of better-auth's client. */
  noCalls?: readonly string[];
  /** Its URLs whose first query an anonymous visitor needs. */
  openReads?: readonly string[];
  /** Its files of what their readers see on a screen anyway. */
  openFiles?: readonly string[];
  /** What its endpoints change. */
  changes?: Partial<Record<Subject, readonly string[]>>;
  /** Those of them that change an organization whose owner sends each with a value in every field. */
  changedByOwner?: readonly string[];
  /** Its tables with rows that such forms could change. */
  tables?: readonly string[];
  /**
   * Makes rows that its URLs name. Returns their ids, by the end of the URL's pattern:
   * `/settings/webhooks/:id`. What only an organization may see is called hidden, in any spelling.
   * `owner` has the screens that only its owner opens.
   */
  urls?: (
    gatehouse: Gatehouse,
    organization?: Organization,
    owner?: { id: string },
  ) => Promise<Record<string, string>>;
  /** Makes a thing that the search finds by its name. Returns the URLs that it leads to. */
  found?: (gatehouse: Gatehouse, name: string) => Promise<{ inManager: string; inApp: string }>;
  /** POSTs that are refused before their body is used, with the status. */
  refusedAtOnce?: readonly [status: number, path: string][];
  /** What is sent with its calls of better-auth's client that change something, by path. */
  calls?: Record<string, Record<string, unknown>[]>;
  /** Its calls that name an organization, by the ids of `urls` and an id that nothing has. */
  organizationCalls?: (ids: Record<string, string>, unknown: string) => readonly OrganizationCall[];
  /**
   * Its calls of better-auth's client: how each answers well and how it refuses, and the audit
   * events of the good one.
   */
  clientCalls?: {
    cases: (sides: StockSides) => Record<string, StockCases>;
    recorded: Record<string, string[]>;
    unrecorded: readonly string[];
  };
  /** Fills the product that the screens are seen in. */
  seed?: (
    gatehouse: Gatehouse,
    world: { organization: Organization; owner: Person; admin: Person },
  ) => Promise<Ids>;
  /** SQL that completes the settings under which screens are seen. */
  settings?: Partial<Record<Setting, string>>;
  /** Its screens, opened by their URL. */
  screens?: readonly Screen<Ids>[];
  /** What a screen's URL does not show: something was opened, chosen or refused. */
  states?: readonly Screen<Ids>[];
  /** Its screens whose texts must be translated. */
  translated?: (world: {
    gatehouse: Gatehouse;
    manager: Person;
    organization: Organization;
    ofManager: Browser;
    ofUser: Browser;
    /** A product in which sign-up is closed to strangers, one of them, and a manager. */
    gated: { gatehouse: Gatehouse; ofStranger: Browser; ofManager: Browser };
  }) => Promise<readonly Shown[]>;
  /**
   * Its limits, and why nobody else can use each up for a person; or why somebody else can; or that
   * its own test shows that a stranger who uses it up leaves other people working.
   */
  limits?: {
    nobodyElse?: Record<string, string>;
    somebodyElse?: Record<string, string>;
    shown?: readonly string[];
  };
  /** Its tables with rows about one user. */
  personal?: readonly string[];
  /** Fills these tables for a user. */
  know?: (
    insert: Insert,
    user: { id: string; at: number; key: (name: string) => string },
  ) => Promise<unknown>;
  /** What a person can leave open who owns the organization and is an admin, and what of it goes on working. */
  leftOpen?: {
    leave: (
      gatehouse: Gatehouse,
      person: { user: Person; organization: Organization },
    ) => Promise<Record<string, string>>;
    probes: Record<string, Probe>;
  };
  /** Its lists, each page of which stays within its budget of rows. */
  lists?: FeatureLists;
  /** Makes a key with which a program calls the API. The feature that knows programs has it. */
  key?: (gatehouse: Gatehouse, user: { id: string }, options: KeyOptions) => Promise<string>;
  /**
   * What it documents: of the calls of better-auth's client the answer of each by its path, and a
   * refusal; of the calls of programs the errors that each can answer.
   */
  answers?: {
    ofCalls: Record<string, z.ZodType>;
    refusal: z.ZodType;
    errors: readonly ApiError[];
  };
};

/** What each feature says. */
export const FEATURE_TESTS: readonly FeatureTests[] = await Promise.all(
  FEATURES.map(({ name }) => readFacts(name)),
);

async function readFacts(name: string): Promise<FeatureTests> {
  const file = resolve(import.meta.dirname, `../../app/features/${name}/tests/facts.ts`);
  if (!existsSync(file)) return {};
  const { facts }: { facts: FeatureTests } = await import(pathToFileURL(file).href);
  return facts;
}

/** Adds the rows of all features to those of the core. A row cannot be there twice. */
export function withFeatures<Value>(
  core: Record<string, Value>,
  rowsOf: (facts: FeatureTests) => Record<string, Value> | undefined,
): Record<string, Value> {
  const rows = { ...core };
  for (const facts of FEATURE_TESTS) {
    for (const [key, value] of Object.entries(rowsOf(facts) ?? {})) {
      if (Object.hasOwn(rows, key)) throw new Error(`Two tables of tests have a row of ${key}`);
      rows[key] = value;
    }
  }
  return rows;
}

/** Adds the rows of all features to those of the core. A feature can have forms on another's screen. */
export function joinFeatures<Value>(
  core: Record<string, readonly Value[]>,
  rowsOf: (facts: FeatureTests) => Record<string, readonly Value[]> | undefined,
): Record<string, readonly Value[]> {
  const rows = { ...core };
  for (const facts of FEATURE_TESTS) {
    for (const [key, values] of Object.entries(rowsOf(facts) ?? {})) {
      rows[key] = [...(rows[key] ?? []), ...values];
    }
  }
  return rows;
}

/** Returns a URL's pattern with the ids of the features' rows. */
export function withIds(pattern: string, ids: Record<string, string>): string {
  return Object.entries(ids).reduce(
    (path, [end, id]) => path.replace(end, end.replace(/:\w+$/, id)),
    pattern,
  );
}

/** Makes the rows that the features' URLs name, for `withIds`. */
export async function featureUrls(
  gatehouse: Gatehouse,
  organization?: Organization,
  owner?: { id: string },
): Promise<Record<string, string>> {
  const all = await Promise.all(
    FEATURE_TESTS.map(({ urls }) => urls?.(gatehouse, organization, owner)),
  );
  return Object.assign({}, ...all);
}

/** Returns the features' tables that have a column. */
export async function featureTables(d1: D1Database, column: string): Promise<string[]> {
  const has = d1.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
  const found = await Promise.all(
    FEATURE_TESTS.flatMap(({ tables = [] }) => tables).map(async (name) =>
      (await has.bind(name, column).first()) ? [name] : [],
    ),
  );
  return found.flat();
}

/** Returns the features' tables whose rows belong to a row of a table with a column, and by which column of theirs. */
export async function tablesBelow(d1: D1Database, column: string) {
  const parents = await featureTables(d1, column);
  const all = FEATURE_TESTS.flatMap(({ tables = [] }) => tables).map(async (name) => {
    const { results } = await d1
      .prepare('SELECT "from" AS column, "table" AS parent FROM pragma_foreign_key_list(?)')
      .bind(name)
      .all<{ column: string; parent: string }>();
    return results.map((reference) => ({ name, ...reference }));
  });
  return (await Promise.all(all)).flat().filter(({ parent }) => parents.includes(parent));
}

/** Makes things of features that the search finds by a name. */
export async function makeFound(gatehouse: Gatehouse, word: string) {
  const made = FEATURE_TESTS.map(async ({ found }, index) => {
    const name = `${word} ${index}`;
    return found ? [{ name, ...(await found(gatehouse, name)) }] : [];
  });
  return (await Promise.all(made)).flat();
}
