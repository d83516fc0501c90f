import { expect, test } from "vitest";
import { z } from "zod";
import { joinTexts } from "../../../scripts/join-texts.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../../i18n/languages.ts";
import { ROLES } from "../access/role-names.ts";
import { columnsFor, columnsOf, readLanguage, readRoles } from "./columns.server.ts";

const UserTexts = z.object({
  name: z.string(),
  email: z.string(),
  role: z.string(),
  detail: z.object({ language: z.string() }),
  roles: z.record(z.enum(ROLES), z.string()),
});

test.each(LANGUAGES)(
  "the interface's own labels in %s name the columns and the roles",
  (language) => {
    const { name, email, role, detail, roles } = UserTexts.parse(joinTexts(language).users);

    expect(columnsOf(["?", detail.language, role, name, email])).toEqual({
      language: 1,
      role: 2,
      name: 3,
      email: 4,
    });
    for (const one of ROLES) expect(readRoles(roles[one])).toBe(one);
    expect(readLanguage(LANGUAGE_NAMES[language])).toBe(language);
    expect(readLanguage(language)).toBe(language);
  },
);

test.each([
  ["E-Mail", " full NAME ", "Roles"],
  ["courriel", "Nom complet", "RÔLE"],
  ["email_address", "name", "role:"],
])("case, accents and signs do not count: %s, %s, %s", (...header) => {
  expect(columnsOf(header)).toEqual({ email: 0, name: 1, role: 2 });
});

test("the header of the product's own export is understood", () => {
  const header = ["id", "name", "email", "role", "status", "created", "last seen"];
  expect(columnsOf(header)).toEqual({ name: 1, email: 2, role: 3 });
});

test("a line without the name of an e-mail column is no header: the columns are in the usual order", () => {
  expect(columnsOf(["a@example.com", "Name"])).toBeUndefined();
  expect(columnsFor(null)).toEqual({ email: 0, name: 1, role: 2, language: 3 });
});

test("a cell names several roles, in the order of the table", () => {
  expect(readRoles("Auditeur; support")).toBe("support,auditor");
  expect(readRoles("user,admin")).toBe("admin,user");
  expect(readRoles("")).toBe("");
  expect(readRoles("user, pilot")).toBeUndefined();
});

test("a language is named by its tag with any region, or by its name", () => {
  expect(["fr-CA", "AR", "en_GB", "Anglais", "kiswahili"].map(readLanguage)).toEqual([
    ...["fr", "ar", "en", "en", "sw"],
  ]);
  expect(["de", "", "français de France"].map(readLanguage)).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});
