import { expect, test } from "vitest";
import { keepTexts } from "./kept-texts.ts";

function countLookUps() {
  const asked: string[] = [];
  const t = keepTexts((key, values) => {
    asked.push(key);
    return `${key} ${JSON.stringify(values ?? asked.length)}`;
  });
  return { t, asked };
}

test("a text without values is looked up once", () => {
  const { t, asked } = countLookUps();
  expect([t("save"), t("cancel"), t("save")]).toEqual(["save 1", "cancel 2", "save 1"]);
  expect(asked).toEqual(["save", "cancel"]);
});

test("a text with values is looked up each time", () => {
  const { t } = countLookUps();
  expect(t("hello", { name: "Amina" })).toBe('hello {"name":"Amina"}');
  expect(t("hello", { name: "Saïd" })).toBe('hello {"name":"Saïd"}');
});

test("a text of another namespace, which may load later, is looked up each time", () => {
  const { t } = countLookUps();
  expect([t("users:title"), t("users:title")]).toEqual(["users:title 1", "users:title 2"]);
});
