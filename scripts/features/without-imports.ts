import ts from "typescript";

/**
 * Returns a list of features without those that it imports from a folder: without the imports and
 * re-exports, and without each entry of an array or an object that names one of them.
 */
export function withoutImports(source: string, folder: string): string {
  const file = ts.createSourceFile("list.tsx", source, ts.ScriptTarget.Latest, true);
  const names = new Set<string>();
  const cuts = new Set<ts.Node>();
  for (const node of file.statements) {
    const isMade = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const from = isMade ? node.moduleSpecifier : undefined;
    if (!from || !ts.isStringLiteral(from) || !from.text.startsWith(folder)) continue;
    cuts.add(node);
    if (!ts.isImportDeclaration(node)) continue;
    const bindings = node.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings)) {
      for (const { name } of bindings.elements) names.add(name.text);
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.has(node.text)) {
      const entry = ts.findAncestor(node, isEntry);
      if (!entry) throw new Error(`${node.text} stands outside a list`);
      cuts.add(entry);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...cuts]
    .sort((one, other) => other.pos - one.pos)
    .reduce((text, { pos, end }) => {
      const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
      return text.slice(0, pos) + text.slice(end + comma);
    }, source);
}

/** True for one entry of an array or an object. */
function isEntry(node: ts.Node): boolean {
  const parent: ts.Node | undefined = node.parent;
  if (!parent) return false;
  return ts.isArrayLiteralExpression(parent) || ts.isObjectLiteralExpression(parent);
}
