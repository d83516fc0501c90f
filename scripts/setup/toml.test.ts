import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getValue, removeSection, setValue, TOP } from "./toml.ts";

const SHIPPED = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
const PICTURES = { header: "[[r2_buckets]]", binding: "AVATARS" };

test("a value changes in its own section only, and every comment stays", () => {
  const text = setValue(
    SHIPPED,
    { header: "[env.staging.vars]" },
    "BASE_URL",
    '"https://staging.example.com"',
  );

  expect(getValue(text, { header: "[env.staging.vars]" }, "BASE_URL")).toBe(
    "https://staging.example.com",
  );
  expect(getValue(text, { header: "[vars]" }, "BASE_URL")).toBe("http://localhost:8787");
  expect(text.split("\n").length).toBe(SHIPPED.split("\n").length);
  const comments = (toml: string) => toml.split("\n").filter((line) => line.startsWith("#"));
  expect(comments(text)).toEqual(comments(SHIPPED));
});

test("a value with quotes, backslashes and Arabic is read as it was written", () => {
  const sender = 'البوابة "A\\B" <a@example.com>';

  const text = setValue(SHIPPED, { header: "[vars]" }, "MAIL_FROM", JSON.stringify(sender));

  expect(getValue(text, { header: "[vars]" }, "MAIL_FROM")).toBe(sender);
});

test("a new key goes into the part above the first section", () => {
  const text = setValue(SHIPPED, TOP, "account_id", '"abc"');

  expect(getValue(text, TOP, "account_id")).toBe("abc");
  expect(text.indexOf("account_id")).toBeLessThan(text.indexOf("\n["));
  expect(setValue(text, TOP, "account_id", '"abc"')).toBe(text);
});

test("a removed section takes its comment along, and comes back with its binding", () => {
  const without = removeSection(SHIPPED, PICTURES);

  expect(without).not.toContain("Pictures of users");
  expect(getValue(without, PICTURES, "bucket_name")).toBeUndefined();
  expect(getValue(without, { header: "[[env.staging.r2_buckets]]" }, "bucket_name")).toBeDefined();
  expect(removeSection(without, PICTURES)).toBe(without);
  const again = setValue(without, PICTURES, "bucket_name", '"pictures"');
  expect(again).toContain('[[r2_buckets]]\nbinding = "AVATARS"\nbucket_name = "pictures"\n');
});
