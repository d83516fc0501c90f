import { expect, test } from "vitest";
import { ORGANIZATION_ROLES } from "../app/features/access/organization-permissions.ts";
import { ROLES } from "../app/features/access/permissions.ts";
import { PLUS_ADDRESSES, SIGN_UP_MODES } from "../app/features/site-settings/choices.ts";
import { LANGUAGES } from "../app/i18n/languages.ts";
import { translationsIn } from "./support/translations.ts";

// The audit log loads its own words for these values. They are the words of the screens where they are chosen.
test.each(LANGUAGES)("events name roles and choices as their screens do (%s)", (language) => {
  const t = translationsIn(language);
  for (const role of ROLES) {
    expect(t(`logs:audit.values.role.${role}`)).toBe(t(`users:roles.${role}`));
  }
  // An organization has an admin too, with the same word.
  for (const role of ORGANIZATION_ROLES) {
    expect(t(`logs:audit.values.role.${role}`)).toBe(t(`organizations:roles.${role}`));
  }
  for (const choice of PLUS_ADDRESSES) {
    expect(t(`logs:audit.values.plusAddresses.${choice}`)).toBe(
      t(`settings:emails.plusChoice.${choice}`),
    );
  }
  for (const mode of SIGN_UP_MODES) {
    // In Swahili the word agrees with its label, which is another one here.
    expect(t(`logs:audit.values.signUpMode.${mode}`)).not.toMatch(/^logs:|^audit/);
  }
});
