import { expect, test } from "vitest";
import { byLanguage } from "../../../i18n/languages.ts";
import { brandInForce, senderOf } from "./brand.ts";

const DEFAULTS = {
  name: "Gatehouse",
  accent: "plum",
  helpUrl: undefined,
  supportUrl: "https://example.com/support",
  mailFooter: undefined,
} as const;

const NOTHING = {
  name: null,
  names: {},
  accent: null,
  logoLight: null,
  logoDark: null,
  loginPicture: null,
  icons: null,
  helpUrl: null,
  supportUrl: null,
  senderName: null,
  mailFooter: null,
};

test("the environment's values hold until managers set others", () => {
  const brand = brandInForce(DEFAULTS, NOTHING);

  expect(brand.names.ar).toBe("Gatehouse");
  expect(brand.supportUrl).toBe("https://example.com/support");
  expect(brand.senderName).toBeUndefined();
});

test("a name without translations is the name in every language", () => {
  const { names } = brandInForce(DEFAULTS, { ...NOTHING, name: "Acme", names: { ar: "أكمي" } });

  expect(names).toEqual({ ...byLanguage(() => "Acme"), ar: "أكمي" });
});

test("one logo serves both themes", () => {
  expect(brandInForce(DEFAULTS, { ...NOTHING, logoDark: "a" }).logo).toEqual({
    light: "a",
    dark: "a",
  });
});

test("an accent that the product does not know is the default", () => {
  expect(brandInForce(DEFAULTS, { ...NOTHING, accent: "beige" }).accent).toBe("plum");
});

test.each([
  ["Gatehouse <no-reply@example.com>", undefined, "Gatehouse <no-reply@example.com>"],
  ["Gatehouse <no-reply@example.com>", "Acme, Inc.", '"Acme, Inc." <no-reply@example.com>'],
  ["no-reply@example.com", "Acme", '"Acme" <no-reply@example.com>'],
  ["no-reply@example.com", 'A"\r\nBcc: x@y.z', '"ABcc: x@y.z" <no-reply@example.com>'],
])("mails of %s with the sender's name %s come from %s", (from, name, sender) => {
  expect(senderOf(from, name)).toBe(sender);
});
