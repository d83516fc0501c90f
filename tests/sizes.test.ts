import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

// A reader keeps a function on one screen in mind, and a file of a few of them.

const ROOT = resolve(import.meta.dirname, "..");
const MAX_FUNCTION_LINES = 80;
const MAX_FILE_LINES = 300;
const MAX_ROUTE_LINES = 120;

const all = globSync("{app,bench,scripts,tests}/**/*.{ts,tsx,js}", { cwd: ROOT })
  .filter((file) => !file.endsWith(".d.ts"))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
// A suite's callback and the fake of a service hold many small functions.
const code = all.filter(({ file }) => !/^tests\b|\.test\.tsx?$/.test(file));

test("no file has more than 300 lines, and no route more than 120", () => {
  const long = all
    .map(({ file, text }) => ({ file, lines: text.split("\n").length - 1 }))
    .filter(({ file, lines }) => {
      const isRoute = file.startsWith("app/routes/");
      return lines > (isRoute ? MAX_ROUTE_LINES : MAX_FILE_LINES);
    });

  expect(long).toEqual([]);
});

test("no function has more than 80 lines", { timeout: 30_000 }, () => {
  const long = code.flatMap(({ file, text }) =>
    listFunctions(file, text).filter(({ lines }) => lines > MAX_FUNCTION_LINES),
  );

  expect(long).toEqual([]);
});

function listFunctions(file: string, text: string): { start: string; lines: number }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const found: { start: string; lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const first = lineOf(node.getStart());
      found.push({ start: `${file}:${first + 1}`, lines: lineOf(node.end) - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
