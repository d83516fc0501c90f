import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { APP_TESTS } from "./app-tests.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

/** A folder of `app`, each feature on its own, without its screens; "root" for the files of `app` itself. */
export type Folder = string;

type Import = {
  from: string;
  /** A path below the project's root, or a package. */
  to: string;
  isOurs: boolean;
  isTypeOnly: boolean;
};

/** The files of `app`, without tests. */
export const files = globSync("app/**/*.{ts,tsx}", { cwd: ROOT, exclude: APP_TESTS })
  .filter((file) => !file.endsWith(".d.ts"))
  .sort();
/** Every import of these files. */
export const imports = files.flatMap(listImports);

function listImports(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean) => {
    // Skips React Router's generated types, the locales and the styles.
    if (/\+types\/|\.json$|\?url$|^virtual:/.test(specifier)) return;
    const isOurs = specifier.startsWith(".");
    const to = isOurs ? join(dirname(file), specifier) : packageOf(specifier);
    found.push({ from: file, to, isOurs, isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, isTypeOnly(node.importClause));
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node.moduleSpecifier.text, node.isTypeOnly);
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      add(node.arguments[0].text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    !clause.name &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

export function folderOf(file: string): Folder {
  const [, folder = "", feature = ""] = file.split("/");
  if (screensOf(file) !== undefined) return "routes";
  if (folder === "features") return `features/${feature}`;
  return file.split("/").length === 2 ? "root" : folder;
}

/** The folder of screens that a file lies in: that of the core, or of a feature. Both are of the layer "routes". */
export function screensOf(file: string): string | undefined {
  return /^app\/(features\/[^/]+\/)?routes(?=\/)/.exec(file)?.[0];
}

/** True when only the server runs the file. */
export function isServerOnly(file: string): boolean {
  return /\.server\.tsx?$/.test(file);
}

/** Lists the imports of a folder that are not allowed, as "file imports target". */
export function broken(
  isFrom: (folder: Folder) => boolean,
  isAllowed: (one: Import) => boolean,
): string[] {
  return imports
    .filter((one) => isFrom(folderOf(one.from)) && !isAllowed(one))
    .map(
      ({ from, to, isTypeOnly: isType }) => `${from} imports ${isType ? "a type of " : ""}${to}`,
    );
}

/** The files and folders of `app`. */
const PLACES = new Set(
  files.flatMap((file) =>
    file.split("/").map((_, depth, parts) => parts.slice(0, depth + 1).join("/")),
  ),
);

/**
 * True when an import stays in its folder or leads to one of these folders, files or packages. A rule
 * that still allows what is gone fails.
 */
export function leadsTo(one: Import, ...targets: string[]): boolean {
  const gone = targets.filter((target) => target.startsWith("app/") && !PLACES.has(target));
  if (gone.length > 0) throw new Error(`A rule allows what is not there: ${gone.join(", ")}`);
  if (one.isOurs && folderOf(one.from) === folderOf(one.to)) return true;
  return targets.some((target) => one.to === target || one.to.startsWith(`${target}/`));
}
