import { byNameField, nameFieldOf, OTHER_LANGUAGES } from "../../../i18n/name-fields.ts";
import type { BrandPicture, BrandValues } from "./brand.ts";
import type { BrandInput } from "./input.ts";

export type BrandFormValues = { [name: string]: string | undefined };

/** What managers set in the form beside its pictures. */
type FormPart = Omit<BrandValues, BrandPicture | "icons">;

/** Returns what managers have set by the form's fields. */
export function fieldsOfBrand({ names, ...others }: FormPart): {
  [Field in keyof BrandInput]: string | null;
} {
  return {
    name: others.name,
    ...byNameField((language) => names[language] ?? null),
    accent: others.accent,
    helpUrl: others.helpUrl,
    supportUrl: others.supportUrl,
    senderName: others.senderName,
    mailFooter: others.mailFooter,
  };
}

/** Returns the form's fields as they are stored. */
export function brandOfFields(input: BrandInput): FormPart {
  const { name, accent, helpUrl, supportUrl, senderName, mailFooter } = input;
  const values: { [field: string]: string | null } = input;
  const names = Object.fromEntries(
    OTHER_LANGUAGES.flatMap((language) => {
      const own = values[nameFieldOf(language)];
      return own ? [[language, own]] : [];
    }),
  );
  return { name, names, accent, helpUrl, supportUrl, senderName, mailFooter };
}

/** Returns what managers have set as the form shows it. */
export function brandValues(stored: FormPart): BrandFormValues {
  return Object.fromEntries(
    Object.entries(fieldsOfBrand(stored)).map(([field, value]) => [field, value ?? undefined]),
  );
}
