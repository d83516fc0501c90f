import { expect, test } from "vitest";
import * as limits from "../app/values/rate-limits.ts";
import { NOBODY_ELSE, SHOWN, SHOWN_BY_FEATURES, SOMEBODY_ELSE } from "./support/limit-answers.ts";

/** The limits of features stand in their folders. */
const files = import.meta.glob<Record<string, unknown>>("../app/features/*/limits.ts", {
  eager: true,
});

/** Returns the names of all limits in a value, such as "MAIL_LIMITS.ownCodes". */
function namesIn(name: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("windowMs" in value) return [name];
  return Object.entries(value).flatMap(([key, inner]) => namesIn(`${name}.${key}`, inner));
}

test("each limit answers whether somebody else can use it up for a person", () => {
  const names = [limits, ...Object.values(files)].flatMap((file) =>
    Object.entries(file).flatMap(([name, value]) => namesIn(name, value)),
  );
  const answers = [
    ...SHOWN,
    ...SHOWN_BY_FEATURES,
    ...Object.keys(NOBODY_ELSE),
    ...Object.keys(SOMEBODY_ELSE),
  ];

  expect(answers.toSorted()).toEqual(names.toSorted());
});
