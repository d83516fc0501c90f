import { expect, test } from "vitest";
import { hiddenParam } from "./list-columns.ts";

const columns = [{ key: "name" }, { key: "created", isHiddenAtFirst: true }, { key: "updated" }];

test.each([
  [["created"], undefined],
  [[], ""],
  [["created", "updated"], "created,updated"],
  [["updated"], "updated"],
])("the param that hides %j is %j", (hidden, param) => {
  expect(hiddenParam(hidden, columns)).toBe(param);
});

test("a list that hides no column at first has no param while all show", () => {
  expect(hiddenParam([], [{ key: "name" }, { key: "email" }])).toBeUndefined();
});
