import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getValue, removeSection, setValue } from "./toml.ts";

const SHIPPED = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");

test("a value changes in its own section only, and every comment stays", () => {
  const text = setValue(SHIPPED, "[env.staging.vars]", "BASE_URL", '"https://staging.example.com"');

  expect(getValue(text, "[env.staging.vars]", "BASE_URL")).toBe("https://staging.example.com");
  expect(getValue(text, "[vars]", "BASE_URL")).toBe("http://localhost:8787");
  expect(text.split("\n").length).toBe(SHIPPED.split("\n").length);
  const comments = (toml: string) => toml.split("\n").filter((line) => line.startsWith("#"));
  expect(comments(text)).toEqual(comments(SHIPPED));
});

test("a value with quotes, backslashes and Arabic is read as it was written", () => {
  const sender = 'البوابة "A\\B" <a@example.com>';

  const text = setValue(SHIPPED, "[vars]", "MAIL_FROM", JSON.stringify(sender));

  expect(getValue(text, "[vars]", "MAIL_FROM")).toBe(sender);
});

test("a new key goes into the part above the first section", () => {
  const text = setValue(SHIPPED, "", "account_id", '"abc"');

  expect(getValue(text, "", "account_id")).toBe("abc");
  expect(text.indexOf("account_id")).toBeLessThan(text.indexOf("\n["));
  expect(setValue(text, "", "account_id", '"abc"')).toBe(text);
});

test("a removed section takes its comment along, and comes back with its binding", () => {
  const without = removeSection(SHIPPED, "[[r2_buckets]]");

  expect(without).not.toContain("Pictures of users");
  expect(getValue(without, "[[r2_buckets]]", "bucket_name")).toBeUndefined();
  expect(getValue(without, "[[env.staging.r2_buckets]]", "bucket_name")).toBeDefined();
  expect(removeSection(without, "[[r2_buckets]]")).toBe(without);
  const again = setValue(without, "[[r2_buckets]]", "bucket_name", '"pictures"');
  expect(again).toContain('[[r2_buckets]]\nbinding = "AVATARS"\nbucket_name = "pictures"\n');
});
