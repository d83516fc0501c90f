import ts from "typescript";
import type { Subject } from "./subject.ts";

/** Returns the lists of features with a subject's lines, by their paths. */
export function withSubject(lists: Readonly<Record<string, string>>, { words, scope }: Subject) {
  const folder = `./features/${words.many.kebab}`;
  const { camel } = words.many;
  const one = words.one.camel;
  const entries: Record<
    string,
    { imports: [string, string][]; into: [list: string, entry: string][] }
  > = {
    "app/features.ts": {
      imports: [
        [camel, `${folder}/feature.ts`],
        [`${one}Routes`, `${folder}/routes.ts`],
      ],
      into: [
        ["FEATURES", camel],
        ["FEATURE_ROUTES", `"${words.many.kebab}": ${one}Routes`],
      ],
    },
    "app/features.server.ts": {
      imports: [[`${camel}Server`, `${folder}/feature.server.ts`]],
      into: [["SERVER_FEATURES", `${camel}Server`]],
    },
    ...(scope === "organization"
      ? {
          "app/features.ui.tsx": {
            imports: [[`${one}Panels`, `${folder}/panels.tsx`]],
            into: [["PANELS", `...${one}Panels`]],
          },
        }
      : {}),
  };
  return Object.fromEntries(
    Object.entries(entries).map(([path, { imports, into }]) => {
      const listed = into.reduce(
        (text, [list, entry]) => withEntry(text, list, entry),
        lists[path] ?? "",
      );
      const lines = imports.map(([name, from]) => `import { ${name} } from "${from}";\n`);
      return [path, lines.join("") + listed];
    }),
  );
}

/** Adds an entry at the end of the array or object that a constant is made of. */
function withEntry(source: string, list: string, entry: string): string {
  const file = ts.createSourceFile("list.tsx", source, ts.ScriptTarget.Latest, true);
  let end: { at: number; hasComma: boolean } | undefined;
  const visit = (node: ts.Node, isInside: boolean): void => {
    const isList = ts.isVariableDeclaration(node) && node.name.getText() === list;
    if (isInside && !end) {
      if (ts.isArrayLiteralExpression(node)) {
        end = { at: node.elements.end, hasComma: node.elements.hasTrailingComma };
      } else if (ts.isObjectLiteralExpression(node)) {
        end = { at: node.properties.end, hasComma: node.properties.hasTrailingComma };
      }
    }
    ts.forEachChild(node, (child) => visit(child, isInside || isList));
  };
  visit(file, false);
  if (!end) throw new Error(`There is no list ${list}`);
  const { at, hasComma } = end;
  return `${source.slice(0, at)}${hasComma ? "" : ","}\n${entry},${source.slice(at)}`;
}
