import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import type { Act } from "../app/features/access/act.ts";
import { needsProof } from "../app/features/access/proof.ts";
import { files, ROOT } from "./support/imports.ts";

// A question before a change says itself whether it asks for a proof, which keeps the acts out of the
// browser's code. Here both are compared.

type Question = { file: string; intent: string; asksForProof: boolean };

/** The questions in a file whose intent is written out: drawers, and the items of menus. */
function questionsIn(file: string): Question[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found: Question[] = [];
  const add = (members: ts.NodeArray<ts.Node>) => {
    const named = new Map(members.flatMap((one) => memberOf(one)));
    const intent = named.get("intent");
    if (intent && ts.isStringLiteral(intent) && named.has("text")) {
      found.push({ file, intent: intent.text, asksForProof: named.has("needsProof") });
    }
  };
  const visit = (node: ts.Node): void => {
    const isDrawer = ts.isJsxOpeningLikeElement(node) && node.tagName.getText() === "ConfirmDrawer";
    if (isDrawer) add(node.attributes.properties);
    if (ts.isObjectLiteralExpression(node)) add(node.properties);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

function memberOf(node: ts.Node): [name: string, value: ts.Node | undefined][] {
  if (ts.isJsxAttribute(node)) return [[node.name.getText(), node.initializer]];
  if (ts.isPropertyAssignment(node)) return [[node.name.getText(), node.initializer]];
  if (ts.isShorthandPropertyAssignment(node)) return [[node.name.text, undefined]];
  return [];
}

/** The acts of a file's feature that have an intent; several tables may name it. */
async function actsOf({ file, intent }: Question): Promise<Act[]> {
  const module = join(ROOT, ...file.split("/").slice(0, 3), "acts.ts");
  if (!existsSync(module)) return [];
  const tables: Record<string, Record<string, Act>> = await import(pathToFileURL(module).href);
  return Object.values(tables).flatMap((table) => table[intent] ?? []);
}

test("a question asks for a proof exactly where its act needs one", async () => {
  const questions = files.filter((file) => file.endsWith(".tsx")).flatMap(questionsIn);
  const wrong: Question[] = [];
  let compared = 0;
  for (const question of questions) {
    const acts = await actsOf(question);
    // The changes of one's own account have proofs of their own.
    if (acts.length === 0 && !question.asksForProof) continue;
    compared += 1;
    if (!acts.some((act) => needsProof(act) === question.asksForProof)) wrong.push(question);
  }

  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(10);
});
