import { foldForSearch } from "../../db/fold.ts";
import { i18nFor } from "../../i18n/i18n.server.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language, languageOfTag } from "../../i18n/languages.ts";
import { roleList } from "../access/permissions.ts";
import { ROLES } from "../access/role-names.ts";
import { IMPORT_FIELDS, type ImportField } from "./limits.ts";

/** Number of each field's column. */
export type Columns = Partial<Record<ImportField, number>>;

/** Columns of a file whose first line names none. */
const IN_ORDER: Columns = { email: 0, name: 1, role: 2, language: 3 };

let kept: ReturnType<typeof readWords> | undefined;

/** Returns the names of fields, roles and languages in all languages. They are read once, not for each line of a file. */
function words() {
  kept ??= readWords();
  return kept;
}

function readWords() {
  const texts = LANGUAGES.map(i18nFor);
  return {
    fields: byName(IMPORT_FIELDS, (field) => texts.map(({ t }) => t(`import:words.${field}`))),
    roles: byName(ROLES, (role) => texts.map(({ t }) => t(`import:words.roles.${role}`))),
    // What others call a language stands with its own name.
    languages: byName(LANGUAGES, (language) => [
      LANGUAGE_NAMES[language],
      i18nFor(language).t("import:words.ownLanguage"),
    ]),
  };
}

/** Returns what each name means, the first of what it may mean. A text has several, with commas between them. */
function byName<Meaning>(
  meanings: readonly Meaning[],
  textsOf: (meaning: Meaning) => string[],
): ReadonlyMap<string, Meaning> {
  const names = new Map<string, Meaning>();
  for (const meaning of meanings) {
    for (const name of textsOf(meaning).flatMap((text) => text.split(/[,،]/))) {
      if (!names.has(plain(name))) names.set(plain(name), meaning);
    }
  }
  return names;
}

/** Returns which column holds which field, if a file's first line names them; an e-mail must be among them. */
export function columnsOf(header: readonly string[]): Columns | undefined {
  const named = header.map((cell) => words().fields.get(plain(cell)));
  if (!named.includes("email")) return undefined;
  return Object.fromEntries(
    IMPORT_FIELDS.filter((field) => named.includes(field)).map((field) => [
      field,
      named.indexOf(field),
    ]),
  );
}

/** Returns which column holds which field. Without a header the columns are in the usual order. */
export function columnsFor(header: readonly string[] | null): Columns {
  return (header && columnsOf(header)) ?? IN_ORDER;
}

/** Returns the list of the roles that a cell names, as the database stores it; undefined for an unknown one. */
export function readRoles(cell: string): string | undefined {
  const names = cell.split(/[,;|+/]/).filter((name) => name.trim() !== "");
  const found = names.map((name) => words().roles.get(plain(name)));
  if (found.includes(undefined)) return undefined;
  return roleList(ROLES.filter((role) => found.includes(role)));
}

/** Returns the language that a cell names by its tag or its name; undefined for an unknown one. */
export function readLanguage(cell: string): Language | undefined {
  return languageOfTag(cell.trim().replaceAll("_", "-")) ?? words().languages.get(plain(cell));
}

/** Returns a name without case, accents, and the signs around words. */
function plain(text: string): string {
  return foldForSearch(text)
    .replace(/[\s_*:-]+/g, " ")
    .trim();
}
