import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "./languages.ts";

/** A language whose name of the product may differ from the one of the default language. */
export type OtherLanguage = Exclude<Language, typeof DEFAULT_LANGUAGE>;

/** The field of a form, and of audit events, with the product's name in another language: `nameFr`. */
export type NameField = `name${Capitalize<OtherLanguage>}`;

export const OTHER_LANGUAGES = LANGUAGES.filter(
  (language): language is OtherLanguage => language !== DEFAULT_LANGUAGE,
);

export function nameFieldOf(language: Language): string {
  return `name${language.charAt(0).toUpperCase()}${language.slice(1)}`;
}

/** Returns the language whose name of the product a field has; undefined for another field. */
export function languageOfNameField(field: string): Language | undefined {
  return OTHER_LANGUAGES.find((language) => nameFieldOf(language) === field);
}

/** Returns a value for each of the fields. */
export function byNameField<Value>(
  pick: (language: OtherLanguage) => Value,
): Record<NameField, Value> {
  const entries = OTHER_LANGUAGES.map((language) => [nameFieldOf(language), pick(language)]);
  // Entries lose that they are of every field.
  return Object.fromEntries(entries) as Record<NameField, Value>;
}
