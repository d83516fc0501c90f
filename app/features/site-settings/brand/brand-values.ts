import type { BrandValues } from "./brand.ts";
import type { BrandInput } from "./input.ts";

export type BrandFormValues = { [name: string]: string | undefined };

/** Returns what managers have set as the form shows it. */
export function brandValues(stored: Pick<BrandValues, keyof BrandInput>): BrandFormValues {
  const { name, nameFr, nameAr, nameSw, accent, helpUrl, supportUrl, senderName, mailFooter } =
    stored;
  const fields = {
    name,
    nameFr,
    nameAr,
    nameSw,
    accent,
    helpUrl,
    supportUrl,
    senderName,
    mailFooter,
  };
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, value ?? undefined]),
  );
}
