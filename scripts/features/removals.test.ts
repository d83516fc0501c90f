import { expect, test } from "vitest";
import { chooseRemovals, type Occasion } from "./removals.ts";

const features = ["one", "two", "three"].map((name) => ({
  name,
  folder: `app/features/${name}`,
  texts: [`locales/en/${name}.json`, `locales/fr/${name}.json`],
  migrations: [`migrations/0007_${name}.sql`],
}));

/** Its first eight digits are 1 in a division by three. */
const COMMIT = "000000041234567890abcdef1234567890abcdef";

const CASES: [name: string, occasion: Partial<Occasion>, removed: string[][]][] = [
  ["one by the commit's hash", {}, [["two"]]],
  ["another by another hash", { commit: "00000005" }, [["three"]]],
  ["the first without a history", { commit: undefined }, [["one"]]],
  ["those whose code was touched", { changed: ["app/features/one/a.ts"] }, [["one"], ["two"]]],
  ["those whose texts were touched", { changed: ["locales/fr/one.json"] }, [["one"], ["two"]]],
  ["those whose tables were touched", { changed: ["migrations/0007_one.sql"] }, [["one"], ["two"]]],
  [
    "all touched ones together, and none twice",
    { changed: ["app/features/three/a.ts", "app/features/two/b/c.ts", "app/features/two/d.ts"] },
    [["two", "three"]],
  ],
  [
    "none for files of the core",
    { changed: ["app/features/one-more/a.ts", "app/root.tsx", "locales/en/one.json.bak", ""] },
    [["two"]],
  ],
  [
    "each and all together in the full run",
    { isFull: true, changed: ["app/features/one/a.ts"] },
    [["one"], ["two"], ["three"], ["one", "two", "three"]],
  ],
  ["what was asked for", { asked: " one two,three ", isFull: true }, [["one"], ["two", "three"]]],
];

test.each(CASES)("taken out: %s", (_name, occasion, removed) => {
  expect(
    chooseRemovals({ features, isFull: false, commit: COMMIT, changed: [], ...occasion }),
  ).toEqual(removed);
});

test("the core alone has nothing to take out", () => {
  const occasion = { features: [], commit: COMMIT, changed: [] };

  expect(chooseRemovals({ ...occasion, isFull: false })).toEqual([]);
  expect(chooseRemovals({ ...occasion, isFull: true })).toEqual([]);
});

test("a feature that is not there is refused by name", () => {
  expect(() => chooseRemovals({ features, asked: "one,for", isFull: false, changed: [] })).toThrow(
    'no feature "for"',
  );
});
