import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

// Who may import whom. A broken arrow names the file and what it imports; mend the import, or change the design in a
// decision record and then here.

const ROOT = resolve(import.meta.dirname, "..");

/** A folder of `app`, with features apart from each other; "root" is what stands in `app` itself. */
type Place = string;

type Import = {
  from: string;
  /** A file of ours below the project's root, or a package. */
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
    // What React Router writes about a route, the locales and the styles are not code of ours.
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

function placeOf(file: string): Place {
  const [, folder = "", feature = ""] = file.split("/");
  if (folder === "features") return `features/${feature}`;
  return file.split("/").length === 2 ? "root" : folder;
}

/** Whether only the server runs a file. */
function isServerOnly(file: string): boolean {
  return /\.server\.tsx?$/.test(file);
}

/** Every import of one place, as "file imports target", that is not allowed. */
function broken(isFrom: (place: Place) => boolean, isAllowed: (one: Import) => boolean): string[] {
  return imports
    .filter((one) => isFrom(placeOf(one.from)) && !isAllowed(one))
    .map(
      ({ from, to, isTypeOnly: isType }) => `${from} imports ${isType ? "a type of " : ""}${to}`,
    );
}

/** Whether an import stays within its folder or leads to one of these folders, files or packages. */
function leadsTo(one: Import, ...targets: string[]): boolean {
  if (one.isOurs && placeOf(one.from) === placeOf(one.to)) return true;
  return targets.some((target) => one.to === target || one.to.startsWith(`${target}/`));
}

test("there are imports to look at", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(400);
  expect(imports.filter(({ isTypeOnly: isType }) => isType).length).toBeGreaterThan(50);
});

test("routes import what is below them, no other screen and no SQL", () => {
  const routes = (place: Place) => place === "routes";
  const below = [
    ...["app/features", "app/middleware", "app/lists", "app/http", "app/i18n", "app/ui"],
    ...["app/db", "app/values", "app/runtime", "app/worker/services.server.ts"],
  ];

  expect(
    broken(routes, (one) =>
      one.isOurs
        ? // A file of this suffix beside a route holds form handlers and what routes share; it is no screen.
          (placeOf(one.to) === "routes" && isServerOnly(one.to)) ||
          (placeOf(one.to) !== "routes" && leadsTo(one, ...below))
        : leadsTo(one, "react", "react-router", "zod"),
    ),
  ).toEqual([]);
});

test("features import db, ui, i18n, http, and of each other only access and audit", () => {
  const features = (place: Place) => place.startsWith("features/");
  const below = [
    ...["app/db", "app/lists", "app/ui", "app/i18n", "app/http", "app/values"],
    "app/features/access",
  ];
  const tools = ["app/runtime", "app/server-functions"];
  // Types alone cross: who is asking, which codes they are sent, what a mail is made of and who takes it.
  const types = [
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
  const features = (place: Place) => place.startsWith("features/");

  expect(
    broken(features, (one) => placeOf(one.to) !== "db" || isServerOnly(one.from) || one.isTypeOnly),
  ).toEqual([]);
});

test("only db, lists and server-only files of features know Drizzle", () => {
  expect(
    broken(
      () => true,
      (one) =>
        one.to !== "drizzle-orm" ||
        placeOf(one.from) === "db" ||
        placeOf(one.from) === "lists" ||
        (placeOf(one.from).startsWith("features/") && isServerOnly(one.from)),
    ),
  ).toEqual([]);
});

test("only auth and the permission table know better-auth", () => {
  const owners = ["features/auth", "features/access"];

  expect(
    broken(
      () => true,
      (one) => one.to !== "better-auth" || owners.includes(placeOf(one.from)),
    ),
  ).toEqual([]);
});

test("middleware imports features, lists, http and i18n", () => {
  const middleware = (place: Place) => place === "middleware";
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

test("http imports React Router, zod, values, and what i18n and ui know of languages and toasts", () => {
  const http = (place: Place) => place === "http";
  const known = ["app/values", "app/i18n", "app/ui/toast-kinds.ts"];

  expect(
    broken(http, (one) =>
      one.isOurs
        ? leadsTo(one, ...known) || (one.isTypeOnly && leadsTo(one, "app/ui", "app/runtime"))
        : leadsTo(one, "react-router", "zod", "remix-i18next"),
    ),
  ).toEqual([]);
});

test("values import zod, the parser of user agents, and nothing of ours but i18n's words for messages", () => {
  const values = (place: Place) => place === "values";

  expect(
    broken(values, (one) => leadsTo(one, "zod", "bowser", "app/i18n/zod-messages.ts")),
  ).toEqual([]);
});

test("db imports Drizzle and nothing of ours", () => {
  const db = (place: Place) => place === "db";

  expect(broken(db, (one) => leadsTo(one, "drizzle-orm", "node:async_hooks"))).toEqual([]);
});

test("lists import db, and nothing that knows a feature", () => {
  const lists = (place: Place) => place === "lists";
  const below = ["app/db", "app/ui", "app/i18n", "app/http", "app/values", "app/runtime"];

  expect(
    broken(lists, (one) =>
      one.isOurs
        ? leadsTo(one, ...below)
        : leadsTo(one, "drizzle-orm", "react", "react-router", "zod"),
    ),
  ).toEqual([]);
});

test("ui knows no feature, no server and no data", () => {
  const ui = (place: Place) => place === "ui";
  const languages = ["app/i18n/languages.ts", "app/i18n/formats.ts"];

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

test("i18n imports its libraries and nothing of ours", () => {
  const i18n = (place: Place) => place === "i18n";

  expect(
    broken(
      i18n,
      (one) => leadsTo(one, "i18next") || (one.isTypeOnly && leadsTo(one, "zod", "react-router")),
    ),
  ).toEqual([]);
});

test("runtime imports no other folder, types apart", () => {
  const runtime = (place: Place) => place === "runtime";

  expect(broken(runtime, (one) => leadsTo(one, "react-router") || one.isTypeOnly)).toEqual([]);
});

test("middleware/ holds what happens around a request, and what it leaves for the route", () => {
  expect(files.filter((file) => placeOf(file) === "middleware")).toEqual(
    ["current-user", "demo", "guards", "locale", "own-preferences", "session", "theme"].map(
      (name) => `app/middleware/${name}.ts`,
    ),
  );
});

test("no folder imports itself by way of others", () => {
  const folders = new Map<string, Set<string>>();
  for (const { from, to, isOurs, isTypeOnly: isType } of imports) {
    const [one, other] = [dirname(from), dirname(to)];
    // Types are gone when the code runs. Files in app/ itself put the folders together.
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
  // A screen is called by the end of its URL; the schemas of a feature's forms are its input.ts.
  const names = files
    .filter((file) => placeOf(file) !== "routes" && !file.endsWith("/input.ts"))
    // The server's half of something and its piece of UI stand beside each other under one name.
    .map((file) => file.replace(/(\.server)?\.tsx?$/, ""));
  const folders = Map.groupBy(new Set(names), (name) => basename(name));

  expect([...folders.values()].filter((same) => same.length > 1)).toEqual([]);
});

test("what the browser runs imports nothing of the server's", () => {
  const isBrowsers = (place: Place) =>
    ["ui", "lists"].includes(place) || place.startsWith("features/");

  expect(
    broken(isBrowsers, (one) => isServerOnly(one.from) || !isServerOnly(one.to) || one.isTypeOnly),
  ).toEqual([]);
});

test("nothing that a component reaches imports zod", () => {
  const isBrowsers = (file: string) =>
    !isServerOnly(file) &&
    (placeOf(file) === "ui" ||
      (placeOf(file) === "lists" && file.endsWith(".tsx")) ||
      /\.client\.tsx?$/.test(file) ||
      (placeOf(file).startsWith("features/") && file.endsWith(".tsx")));
  const reached = new Set(files.filter(isBrowsers));
  // A set that grows while it is walked is walked to its new end.
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

test("only the worker's entry sees the environment", () => {
  expect(imports.filter(({ to }) => to.startsWith("cloudflare:"))).toEqual([]);
});

test("numbers and dates are written in one place", () => {
  // The calendar's names of days and months are its own; only the browser draws it.
  const writers = ["app/i18n/formats.ts", "app/ui/calendar.tsx"];
  const writing = /Intl\.\w+Format\b|\.toLocale\w+\(/;

  expect(files.filter((file) => writing.test(readFileSync(join(ROOT, file), "utf8")))).toEqual(
    writers,
  );
});

test("there are no barrels but the one that Drizzle wants", () => {
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

test("nothing is called by where it was put because it fitted nowhere", () => {
  const drawers = /(^|\/)(utils?|misc|helpers?|common|shared|lib)(\/|\.server)?(\.tsx?|\/)/;

  expect(files.filter((file) => drawers.test(file))).toEqual([]);
});

test("files and folders are written in kebab-case", () => {
  expect(
    files.filter((file) => !/^[a-z0-9/-]+(\.(server|client|worker))?\.tsx?$/.test(file)),
  ).toEqual([]);
});
