import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

// Allowed imports between the folders of `app`. A failure names the file and its import: change the import, or change
// the design in a decision record and then here. What joins two features belongs to the route.

const ROOT = resolve(import.meta.dirname, "..");

/** A folder of `app`, each feature on its own; "root" for the files of `app` itself. */
type Folder = string;

type Import = {
  from: string;
  /** A path below the project's root, or a package. */
  to: string;
  isOurs: boolean;
  isTypeOnly: boolean;
};

const files = globSync("app/**/*.{ts,tsx}", { cwd: ROOT })
  .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  .sort();
const imports = files.flatMap(listImports);

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

function folderOf(file: string): Folder {
  const [, folder = "", feature = ""] = file.split("/");
  if (folder === "features") return `features/${feature}`;
  return file.split("/").length === 2 ? "root" : folder;
}

/** True when only the server runs the file. */
function isServerOnly(file: string): boolean {
  return /\.server\.tsx?$/.test(file);
}

/** Lists the imports of a folder that are not allowed, as "file imports target". */
function broken(
  isFrom: (folder: Folder) => boolean,
  isAllowed: (one: Import) => boolean,
): string[] {
  return imports
    .filter((one) => isFrom(folderOf(one.from)) && !isAllowed(one))
    .map(
      ({ from, to, isTypeOnly: isType }) => `${from} imports ${isType ? "a type of " : ""}${to}`,
    );
}

/** True when an import stays in its folder or leads to one of these folders, files or packages. */
function leadsTo(one: Import, ...targets: string[]): boolean {
  if (one.isOurs && folderOf(one.from) === folderOf(one.to)) return true;
  return targets.some((target) => one.to === target || one.to.startsWith(`${target}/`));
}

test("the scan finds files and imports", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(400);
  expect(imports.filter(({ isTypeOnly: isType }) => isType).length).toBeGreaterThan(50);
});

test("routes import the layers below them, no other screen and no SQL", () => {
  const routes = (folder: Folder) => folder === "routes";
  const below = [
    ...["app/features", "app/middleware", "app/lists", "app/http", "app/i18n", "app/ui"],
    ...["app/db", "app/values", "app/runtime", "app/server-functions"],
    "app/worker/services.server.ts",
  ];

  expect(
    broken(routes, (one) =>
      one.isOurs
        ? // A server file beside a route holds form handlers, or what several routes share.
          (folderOf(one.to) === "routes" && isServerOnly(one.to)) ||
          (folderOf(one.to) !== "routes" && leadsTo(one, ...below))
        : leadsTo(one, "react", "react-router", "zod"),
    ),
  ).toEqual([]);
});

test("features import db, ui, i18n, http, and of each other only access and audit", () => {
  const features = (folder: Folder) => folder.startsWith("features/");
  const below = [
    ...["app/db", "app/lists", "app/ui", "app/i18n", "app/http", "app/values"],
    "app/features/access",
  ];
  const tools = ["app/runtime", "app/server-functions"];
  // Types that may cross: the current user, the mails' recipients, the content of a mail, the mailer and the settings.
  const types = [
    "app/features/environment/config.ts",
    "app/features/environment/setting-states.ts",
    "app/features/auth/sessions/sessions.server.ts",
    "app/features/auth/codes/account-codes.server.ts",
    "app/features/mail/mail-message.ts",
    "app/features/mail/outbox.server.ts",
  ];

  expect(
    broken(
      features,
      (one) =>
        !one.isOurs ||
        leadsTo(one, "app/features/audit", ...below, ...tools) ||
        (one.isTypeOnly && leadsTo(one, ...types)),
    ),
  ).toEqual([]);
});

test("only server-only files of features import db", () => {
  const features = (folder: Folder) => folder.startsWith("features/");

  expect(
    broken(
      features,
      (one) => folderOf(one.to) !== "db" || isServerOnly(one.from) || one.isTypeOnly,
    ),
  ).toEqual([]);
});

test("only db, lists and server-only files of features know Drizzle", () => {
  expect(
    broken(
      () => true,
      (one) =>
        one.to !== "drizzle-orm" ||
        folderOf(one.from) === "db" ||
        folderOf(one.from) === "lists" ||
        (folderOf(one.from).startsWith("features/") && isServerOnly(one.from)),
    ),
  ).toEqual([]);
});

test("only auth and the permission table know better-auth", () => {
  const owners = ["features/auth", "features/access"];

  expect(
    broken(
      () => true,
      (one) => one.to !== "better-auth" || owners.includes(folderOf(one.from)),
    ),
  ).toEqual([]);
});

test("middleware imports features, lists, http and i18n", () => {
  const middleware = (folder: Folder) => folder === "middleware";
  const below = ["app/features", "app/lists", "app/http", "app/values", "app/i18n"];
  const wiring = ["app/runtime", "app/ui/message.tsx"];

  expect(
    broken(middleware, (one) =>
      one.isOurs
        ? leadsTo(one, ...below, ...wiring) || (one.isTypeOnly && leadsTo(one, "app/ui"))
        : leadsTo(one, "react-router", "remix-themes"),
    ),
  ).toEqual([]);
});

test("http imports React Router, zod, cookie, values, i18n and the kinds of toasts", () => {
  const http = (folder: Folder) => folder === "http";
  const known = ["app/values", "app/i18n", "app/ui/toast-kinds.ts"];

  expect(
    broken(http, (one) =>
      one.isOurs
        ? leadsTo(one, ...known) || (one.isTypeOnly && leadsTo(one, "app/ui", "app/runtime"))
        : leadsTo(one, "react-router", "zod", "cookie", "remix-i18next"),
    ),
  ).toEqual([]);
});

test("values import zod, the user agent parser and i18n's message keys", () => {
  const values = (folder: Folder) => folder === "values";

  expect(
    broken(values, (one) => leadsTo(one, "zod", "bowser", "app/i18n/zod-messages.ts")),
  ).toEqual([]);
});

test("db imports Drizzle and no folder of ours", () => {
  const db = (folder: Folder) => folder === "db";

  expect(broken(db, (one) => leadsTo(one, "drizzle-orm", "node:async_hooks"))).toEqual([]);
});

test("lists import db, and no feature", () => {
  const lists = (folder: Folder) => folder === "lists";
  const below = ["app/db", "app/ui", "app/i18n", "app/http", "app/values", "app/runtime"];

  expect(
    broken(lists, (one) =>
      one.isOurs
        ? leadsTo(one, ...below)
        : leadsTo(one, "drizzle-orm", "react", "react-dom", "react-router", "zod"),
    ),
  ).toEqual([]);
});

test("ui imports no feature, no server code and no data", () => {
  const ui = (folder: Folder) => folder === "ui";
  const languages = ["app/i18n/languages.ts", "app/i18n/formats.ts", "app/i18n/message-key.ts"];

  expect(
    broken(ui, (one) =>
      one.isOurs
        ? leadsTo(one, ...languages)
        : leadsTo(
            one,
            "react",
            "react-dom",
            "react-router",
            "react-i18next",
            "sonner",
            "react-day-picker",
          ) ||
          (one.isTypeOnly && one.to === "i18next"),
    ),
  ).toEqual([]);
});

test("i18n imports its libraries and no folder of ours", () => {
  const i18n = (folder: Folder) => folder === "i18n";

  expect(
    broken(
      i18n,
      (one) => leadsTo(one, "i18next") || (one.isTypeOnly && leadsTo(one, "zod", "react-router")),
    ),
  ).toEqual([]);
});

test("runtime imports no other folder, types apart", () => {
  const runtime = (folder: Folder) => folder === "runtime";

  expect(broken(runtime, (one) => leadsTo(one, "react-router") || one.isTypeOnly)).toEqual([]);
});

test("middleware holds the steps around a request, and the current user that they find", () => {
  expect(files.filter((file) => folderOf(file) === "middleware")).toEqual(
    ["current-user", "demo", "guards", "locale", "own-preferences", "session", "theme"].map(
      (name) => `app/middleware/${name}.ts`,
    ),
  );
});

test("folders form no circle", () => {
  const folders = new Map<string, Set<string>>();
  for (const { from, to, isOurs, isTypeOnly: isType } of imports) {
    const [one, other] = [dirname(from), dirname(to)];
    // Types do not count: they are gone when the code runs. The files of app/ itself connect all folders.
    if (!isOurs || isType || one === other || one === "app") continue;
    folders.set(one, (folders.get(one) ?? new Set()).add(other));
  }
  const reachable = (start: string) => {
    const reached = new Set(folders.get(start));
    for (const folder of reached) for (const next of folders.get(folder) ?? []) reached.add(next);
    return reached;
  };

  expect([...folders.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
});

test("no two files have one name", () => {
  // A route has the last word of its URL; each feature keeps the schemas of its forms in input.ts.
  const names = files
    .filter((file) => folderOf(file) !== "routes" && !file.endsWith("/input.ts"))
    // The queries of a feature and their piece of UI may share a name in one folder.
    .map((file) => file.replace(/(\.server)?\.tsx?$/, ""));
  const folders = Map.groupBy(new Set(names), (name) => basename(name));

  expect([...folders.values()].filter((same) => same.length > 1)).toEqual([]);
});

test("code in the browser imports no server-only file", () => {
  const isBrowsers = (folder: Folder) =>
    ["ui", "lists"].includes(folder) || folder.startsWith("features/");

  expect(
    broken(isBrowsers, (one) => isServerOnly(one.from) || !isServerOnly(one.to) || one.isTypeOnly),
  ).toEqual([]);
});

test("components do not reach zod", () => {
  const isBrowsers = (file: string) =>
    !isServerOnly(file) &&
    (folderOf(file) === "ui" ||
      (folderOf(file) === "lists" && file.endsWith(".tsx")) ||
      /\.client\.tsx?$/.test(file) ||
      (folderOf(file).startsWith("features/") && file.endsWith(".tsx")));
  const reached = new Set(files.filter(isBrowsers));
  // The loop also visits files that are added to the set while it runs.
  for (const file of reached) {
    for (const one of imports) {
      if (one.from === file && one.isOurs && !one.isTypeOnly) reached.add(one.to);
    }
  }

  expect(
    imports
      .filter(({ from, to, isTypeOnly: isType }) => to === "zod" && !isType && reached.has(from))
      .map(({ from }) => from),
  ).toEqual([]);
});

test("only the worker's entry reads the environment", () => {
  expect(imports.filter(({ to }) => to.startsWith("cloudflare:"))).toEqual([]);
});

test("only two files format numbers and dates", () => {
  // The calendar formats its own names of days and months; it is drawn in the browser only.
  const writers = ["app/i18n/formats.ts", "app/ui/calendar.tsx"];
  const writing = /Intl\.\w+Format\b|\.toLocale\w+\(/;

  expect(files.filter((file) => writing.test(readFileSync(join(ROOT, file), "utf8")))).toEqual(
    writers,
  );
});

test("the only barrel is the schema that Drizzle reads", () => {
  const passingOn = files.filter((file) => {
    const statements = ts.createSourceFile(
      file,
      readFileSync(join(ROOT, file), "utf8"),
      ts.ScriptTarget.Latest,
    ).statements;
    return statements.length > 0 && statements.every((node) => ts.isExportDeclaration(node));
  });

  expect(passingOn).toEqual(["app/db/schema/schema.ts"]);
  expect(files.filter((file) => /\/index\.tsx?$/.test(file))).toEqual([]);
});

test("no file has a name such as utils or helpers", () => {
  const drawers = /(^|\/)(utils?|misc|helpers?|common|shared|lib)(\/|\.server)?(\.tsx?|\/)/;

  expect(files.filter((file) => drawers.test(file))).toEqual([]);
});

test("file and folder names are kebab-case", () => {
  expect(
    files.filter((file) => !/^[a-z0-9/-]+(\.(server|client|worker))?\.tsx?$/.test(file)),
  ).toEqual([]);
});
