import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { statements } from "../app/features/access/permissions.ts";
import { files, ROOT } from "./support/imports.ts";

/** Functions that ask for a permission of the table, named by their second and third argument. */
const ASKING = ["requirePermission", "requireActor"];

/** The permissions that the code asks for on the server. Those of an organization's own table look alike and do not count. */
function permissionsAskedFor(): Set<string> {
  const asked = new Set<string>();
  const add = (first?: ts.Node, second?: ts.Node) => {
    if (first && second && ts.isStringLiteral(first) && ts.isStringLiteral(second)) {
      asked.add(`${first.text}.${second.text}`);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText();
      const [, resource, action] = node.arguments;
      // A loader leaves out what a user may not read.
      const isShown = name === "can" && action?.getText() === '"read"';
      if (ASKING.includes(name) || isShown) add(resource, action);
      // The guard of an area.
      const [area] = node.arguments;
      if (name === "requireApp" && area && ts.isStringLiteral(area)) asked.add(`apps.${area.text}`);
    }
    if (ts.isArrayLiteralExpression(node) && isOfTable(node)) add(...node.elements);
    ts.forEachChild(node, visit);
  };
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), "utf8");
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return asked;
}

/** True for what an act needs, and for what is declared as permissions of the table. */
function isOfTable(list: ts.ArrayLiteralExpression): boolean {
  for (let node: ts.Node = list; node.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isCallExpression(parent)) {
      const name = parent.expression.getText();
      if (name === "actsOf" || name === "permissionAct") return true;
      if (!name.endsWith(".push")) return false;
    }
    if (ts.isSatisfiesExpression(parent)) {
      return parent.type.getText() === "Record<string, Permission>";
    }
    if (ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent)) {
      return /^Permission(\[\])?$/.test(parent.type?.getText() ?? "");
    }
  }
  return false;
}

test("the code asks for every permission of the table except user.set-password", () => {
  const asked = permissionsAskedFor();

  const unasked = Object.entries(statements)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource}.${action}`))
    .filter((permission) => !asked.has(permission));
  expect(unasked).toEqual(["user.set-password"]);
});
