import { foldForSearch } from "../../db/fold.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language, languageOfTag } from "../../i18n/languages.ts";
import { roleList } from "../access/permissions.ts";
import { ROLES, type Role } from "../access/role-names.ts";
import { IMPORT_FIELDS, type ImportField } from "./limits.ts";

/** Number of each field's column. */
export type Columns = Partial<Record<ImportField, number>>;

/** Columns of a file whose first line names none. */
const IN_ORDER: Columns = { email: 0, name: 1, role: 2, language: 3 };

/** Names of columns, in English and as the four languages of the product name the fields. */
const NAMES: Record<ImportField, readonly string[]> = {
  email: [
    ...["email", "e-mail", "mail", "email address", "e-mail address"],
    ...["adresse e-mail", "adresse email", "courriel", "البريد الإلكتروني", "البريد", "barua pepe"],
  ],
  name: ["name", "full name", "nom", "nom complet", "الاسم", "الاسم الكامل", "jina", "jina kamili"],
  role: ["role", "roles", "rôle", "rôles", "الدور", "الأدوار", "jukumu", "majukumu"],
  language: ["language", "lang", "locale", "langue", "اللغة", "lugha"],
};

/** Names of the roles in the four languages. */
const ROLE_NAMES: Record<Role, readonly string[]> = {
  admin: ["admin", "administrator", "administrateur", "مسؤول", "msimamizi"],
  support: ["support", "موظف دعم", "usaidizi"],
  auditor: ["auditor", "auditeur", "مدقّق", "mkaguzi"],
  user: ["user", "utilisateur", "مستخدم", "mtumiaji"],
};

/** Names of the languages in English and in French; each also has its tag and its own name. */
const LANGUAGE_WORDS: Record<Language, readonly string[]> = {
  en: ["anglais", "الإنجليزية", "kiingereza"],
  fr: ["french", "الفرنسية", "kifaransa"],
  ar: ["arabic", "arabe", "kiarabu"],
  sw: ["swahili", "السواحيلية"],
};

/** Returns which column holds which field, if a file's first line names them; an e-mail must be among them. */
export function columnsOf(header: readonly string[]): Columns | undefined {
  const named = header.map((cell) => keyOf(IMPORT_FIELDS, NAMES, cell));
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
  const found = names.map((name) => keyOf(ROLES, ROLE_NAMES, name));
  if (found.includes(undefined)) return undefined;
  return roleList(ROLES.filter((role) => found.includes(role)));
}

/** Returns the language that a cell names by its tag or its name; undefined for an unknown one. */
export function readLanguage(cell: string): Language | undefined {
  const tag = languageOfTag(cell.trim().replaceAll("_", "-"));
  const own = LANGUAGES.find((language) => isSame(LANGUAGE_NAMES[language], cell));
  return tag ?? own ?? keyOf(LANGUAGES, LANGUAGE_WORDS, cell);
}

function keyOf<Key extends string>(
  keys: readonly Key[],
  names: Record<Key, readonly string[]>,
  cell: string,
): Key | undefined {
  return keys.find((key) => names[key].some((name) => isSame(name, cell)));
}

function isSame(name: string, cell: string): boolean {
  return plain(name) === plain(cell);
}

/** Returns a name without case, accents, and the signs around words. */
function plain(text: string): string {
  return foldForSearch(text)
    .replace(/[\s_*:-]+/g, " ")
    .trim();
}
