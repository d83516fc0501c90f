import ts from "typescript";

/** Whose the rows of a subject are. */
export const SCOPES = ["organization", "personal", "global"] as const;
export type Scope = (typeof SCOPES)[number];

const TYPES = [
  ...(["text", "longtext", "number", "money", "day", "moment", "choice"] as const),
  ...(["yesno", "email", "url", "user", "ref"] as const),
] as const;
export type FieldType = (typeof TYPES)[number];

export type Field = {
  /** As in code: `dueOn`. */
  name: string;
  type: FieldType;
  isRequired: boolean;
  isUnique: boolean;
  /** Of a choice. */
  choices: string[];
  /** Of a reference: the other subject. */
  to: Referred | undefined;
};

/** Another subject: its table in code and in SQL, its folder, and the field that tells its rows apart. */
export type Referred = {
  table: string;
  column: string;
  folder: string;
  title: string;
  scope: Scope;
};

/** A name in the spellings of code, SQL and URLs. */
export type Words = Spelling<"one" | "many">;

type Spelling<Number extends string> = Record<
  Number,
  { camel: string; pascal: string; constant: string; snake: string; kebab: string; title: string }
>;

/** A subject that is to be written. */
export type Subject = {
  words: Words;
  scope: Scope;
  /** The first tells a row from others. */
  fields: readonly [Field, ...Field[]];
  /** Singular and plural by language, where they were given. */
  titles: Readonly<Partial<Record<string, readonly [one: string, many: string]>>>;
};

/** Names that every table has. */
const RESERVED = [
  // A form never gives these back to the browser.
  ...["code", "key", "mailLink"],
  ...["id", "version", "searchKey", "createdAt", "updatedAt", "createdBy", "ownerId"],
  ...[
    "organizationId",
    "organization",
    "title",
    "options",
    "frame",
    "now",
    "row",
    "slug",
    "intent",
  ],
];

/** What a list's URL says beside its filters. */
const LIST_PARAMS = ["searchTerm", "sort", "direction", "size", "pages", "after", "filters"];

function isKeyword(name: string): boolean {
  const kind = ts.identifierToKeywordKind(ts.factory.createIdentifier(name));
  if (kind === undefined) return false;
  return kind >= ts.SyntaxKind.FirstReservedWord && kind <= ts.SyntaxKind.LastFutureReservedWord;
}

/** What is wrong with what was asked for, for the person who asked. */
export class Refused extends Error {}

/** Reads `purchase order` or `purchaseOrder`. */
function spell(name: string) {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean);
  if (words.length === 0 || words.some((word) => !/^[a-z][a-z\d]*$/.test(word))) {
    throw new Refused(`“${name}” is no name: use letters and digits, such as “purchase order”.`);
  }
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join("");
  return {
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    constant: words.join("_").toUpperCase(),
    snake: words.join("_"),
    kebab: words.join("-"),
    title: capital(words.join(" ")),
  };
}

/** The usual English plural. */
function pluralOf(name: string): string {
  if (/(s|x|z|ch|sh)$/i.test(name)) return `${name}es`;
  return /[^aeiou]y$/i.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

export function wordsOf(one: string, many = pluralOf(one)): Words {
  const words = { one: spell(one), many: spell(many) };
  const keyword = [words.one, words.many].find(
    // A list called "data" would be the component of all lists.
    ({ camel }) => isKeyword(camel) || camel === "data",
  );
  if (keyword) throw new Refused(`“${keyword.camel}” has a meaning already: choose another name.`);
  if (words.one.kebab === words.many.kebab) {
    throw new Refused(`“${one}” needs another plural: --plural "…".`);
  }
  return words;
}

export function snakeOf(name: string): string {
  return spell(name).snake;
}

export function titleOf(name: string): string {
  return spell(name).title;
}

/** Reads `number:text!unique, amount:money!, status:choice(draft|sent|paid)`. */
export function readFields(
  text: string,
  subjects: Readonly<Record<string, Referred>>,
): Subject["fields"] {
  const [first, ...others] = text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => readField(part, subjects));
  if (first?.type !== "text" || !first.isRequired) {
    throw new Refused(
      "The first field tells a row from others, so it is a text that must be there: “name:text!”.",
    );
  }
  const names = [first, ...others].map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice) throw new Refused(`There are two fields “${twice}”.`);
  const list = names.find((name) => LIST_PARAMS.includes(name));
  if (list) throw new Refused(`“${list}” is a parameter of every list: choose another name.`);
  const unique = others.find(({ isUnique }) => isUnique);
  if (unique) throw new Refused(`“${unique.name}” cannot be unique: only the first field can.`);
  return [first, ...others];
}

const FIELD = /^([a-z][A-Za-z\d]*):([a-z]+)(?:\(([^)]*)\))?(!?)(unique)?$/;

function readField(text: string, subjects: Readonly<Record<string, Referred>>): Field {
  const [, name = "", type, inside = "", mark, unique] = FIELD.exec(text) ?? [];
  const known = TYPES.find((one) => one === type);
  if (!known) {
    throw new Refused(
      `“${text}” is no field. A field is name:type, with ! when it must be filled in. Types: ${TYPES.join(", ")}.`,
    );
  }
  if (RESERVED.includes(name) || isKeyword(name)) {
    throw new Refused(`“${name}” has a meaning already: choose another name.`);
  }
  const choices = inside.split("|").map((choice) => choice.trim());
  if (new Set(choices).size < choices.length) throw new Refused(`“${text}” names a choice twice.`);
  if (
    known === "choice" &&
    (choices.length < 2 || choices.some((one) => !/^[a-z][\w-]*$/.test(one)))
  ) {
    throw new Refused(`“${text}” needs its choices: ${name}:choice(draft|sent).`);
  }
  const to = known === "ref" ? subjects[inside] : undefined;
  if (known === "ref" && !to) {
    const there = Object.keys(subjects).join(", ") || "none";
    throw new Refused(`“${text}” refers to no subject. Subjects: ${there}.`);
  }
  if (known === "longtext" && mark) {
    throw new Refused(`“${text}”: a long text may always be empty.`);
  }
  if ((known === "ref" || known === "user") && mark) {
    throw new Refused(`“${text}” may be empty, because what it refers to can be deleted.`);
  }
  return {
    name,
    type: known,
    isRequired: mark === "!" || known === "choice",
    isUnique: unique !== undefined,
    choices: known === "choice" ? choices : [],
    to,
  };
}

/** Reads what the command was asked for. */
export function readSubject(asked: {
  name: string;
  plural: string | undefined;
  fields: string;
  scope: Scope;
  titles: Subject["titles"];
  /** What a field may refer to, by its name in code. */
  subjects: Readonly<Record<string, Referred>>;
}): Subject {
  const { scope, titles } = asked;
  const fields = readFields(asked.fields, asked.subjects);
  const other = fields.find(({ to }) => to && to.scope !== "global" && to.scope !== scope);
  if (other) {
    throw new Refused(
      `“${other.name}” would show rows of other owners: both need the same kind of owner.`,
    );
  }
  const user = fields.find(({ type }) => type === "user");
  if (user && scope !== "organization") {
    throw new Refused(`“${user.name}”: a user is chosen among the members of an organization.`);
  }
  return { words: wordsOf(asked.name, asked.plural), scope, fields, titles };
}
