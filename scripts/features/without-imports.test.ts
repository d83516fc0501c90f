import { expect, test } from "vitest";
import { dropsOf } from "./drops.ts";
import { withoutImports } from "./without-imports.ts";

const LIST = `import { one } from "./features/one/feature.ts";
import { oneRoutes } from "./features/one/routes.ts";
import { oneMore } from "./features/one-more/feature.ts";

export const FEATURES = [one, oneMore] as const;

export const ROUTES = {
  one: oneRoutes,
} as const;

const PANELS = { ...one };
`;

test("imports from a feature's folder go, with each entry that names one", () => {
  const left = withoutImports(LIST, "./features/one/");

  expect(left.replace(/\s+/g, " ").trim()).toBe(
    'import { oneMore } from "./features/one-more/feature.ts"; export const FEATURES = [ oneMore] as const; export const ROUTES = { } as const; const PANELS = { };',
  );
});

test("an export from a feature's folder goes too", () => {
  const entry = `export { One } from "./features/one/entrypoint.server.ts";
export { Core } from "./worker/core.server.ts";
export default {};
`;

  expect(withoutImports(entry, "./features/one/").trim()).toBe(
    'export { Core } from "./worker/core.server.ts";\nexport default {};',
  );
});

test("a list that does not name the feature stays as it is", () => {
  expect(withoutImports(LIST, "./features/other/")).toBe(LIST);
});

test("an import that is used outside a list is refused", () => {
  expect(() => withoutImports(`${LIST}\nuse(one);\n`, "./features/one/")).toThrow("outside a list");
});

test("what a migration has made is dropped, the last first", () => {
  const migration = `CREATE TABLE note (id TEXT);
CREATE UNIQUE INDEX note_by_id ON note (id);
CREATE TRIGGER note_told AFTER INSERT ON note BEGIN SELECT 1; END;`;

  expect(dropsOf(migration)).toEqual([
    "DROP TRIGGER IF EXISTS note_told;",
    "DROP INDEX IF EXISTS note_by_id;",
    "DROP TABLE IF EXISTS note;",
  ]);
});
