import { expect, test } from "vitest";
import { readChoice, withChoice } from "./kept-choice.ts";

test("a choice is read back from the path that keeps it", () => {
  const choice = { ids: ["a", "b"], asked: "delete" };
  const path = withChoice("/manager/users?sort=name&searchTerm=a%26b", choice);

  expect(path).toBe("/manager/users?sort=name&searchTerm=a%26b&id=a&id=b&asked=delete");
  expect(readChoice(path.split("?")[1] ?? "")).toEqual(choice);
});

test("another choice replaces the first, and none leaves the path as it was", () => {
  const path = "/manager/users?sort=name&id=a&asked=ban";

  expect(withChoice(path, { ids: ["b"], asked: undefined })).toBe("/manager/users?sort=name&id=b");
  expect(withChoice(path, { ids: [], asked: "ban" })).toBe("/manager/users?sort=name");
  expect(withChoice("/manager/users", { ids: [], asked: undefined })).toBe("/manager/users");
});

test("a choice has at most as many rows as a page, each once, and no long text", () => {
  const params = new URLSearchParams([
    ...Array.from({ length: 300 }, (_, index) => ["id", String(index % 250)]),
    ["id", "x".repeat(65)],
    ["asked", "y".repeat(100)],
  ]);

  const { ids, asked } = readChoice(params);

  expect(ids).toHaveLength(200);
  expect(asked).toHaveLength(40);
});
