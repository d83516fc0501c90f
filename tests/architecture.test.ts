import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import type { FeatureFacts } from "../app/feature.ts";
import { FEATURES } from "../app/features.ts";
import {
  broken,
  type Folder,
  files,
  folderOf,
  imports,
  isServerOnly,
  leadsTo,
  ROOT,
  screensOf,
} from "./support/imports.ts";

// Allowed imports between the folders of `app`. A failure names the file and its import: change the import, or change
// the design in a decision record and then here. What joins two features belongs to the route.

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
    "app/features.ui.tsx",
    "app/features.header.tsx",
    "app/features.login.tsx",
    // A document that the site shows.
    "docs",
  ];

  expect(
    broken(routes, (one) =>
      one.isOurs
        ? // A server file beside a route holds form handlers, or what several routes share.
          (screensOf(one.to) === screensOf(one.from) && isServerOnly(one.to)) ||
          (folderOf(one.to) !== "routes" && leadsTo(one, ...below))
        : leadsTo(one, "react", "react-router", "zod"),
    ),
  ).toEqual([]);
});

test("nothing imports the screens of a feature, but the files beside them", () => {
  const isFeatures = (file: string) => /^app\/features\/[^/]+\/routes\//.test(file);

  expect(
    imports
      .filter(({ from, to }) => isFeatures(to) && screensOf(from) !== screensOf(to))
      .map(({ from, to }) => `${from} imports ${to}`),
  ).toEqual([]);
});

test("features import db, ui, i18n, http, and of each other only access and audit", () => {
  const features = (folder: Folder) => folder.startsWith("features/");
  const below = [
    ...["app/db", "app/lists", "app/ui", "app/i18n", "app/http", "app/values"],
    "app/features/access",
  ];
  // Facts lie below the core, which reads the list; a feature's facts are made of leaves alone.
  const facts = ["app/feature.ts", "app/features.ts", "app/features/mail/mail-rule.ts"];
  const tools = ["app/runtime", "app/server-functions"];
  // Types that may cross: what a feature tells the core, the current user, the mails' recipients,
  // the content of a mail, the mailer and the settings.
  const types = [
    "app/feature.ts",
    "app/features/environment/config.ts",
    "app/features/auth/sessions/sessions.server.ts",
    "app/features/auth/codes/account-codes.server.ts",
    "app/features/mail/mail-message.ts",
    "app/features/mail/occasion.ts",
    "app/features/mail/outbox.server.ts",
    "app/features/owned/owned-rows.server.ts",
    "app/feature.server.ts",
    "app/feature.ui.ts",
  ];
  const needs: Record<string, readonly string[]> = Object.fromEntries(
    FEATURES.map(({ name, ...facts }: FeatureFacts) => [name, facts.needs ?? []]),
  );
  const isNeeded = ({ from, to }: { from: string; to: string }) =>
    (needs[from.split("/")[2] ?? ""] ?? []).some((name) => to.startsWith(`app/features/${name}/`));
  // A feature that can be taken out stands on the core, whose rooms it may use.
  const isOptional = (file: string) => needs[file.split("/")[2] ?? ""] !== undefined;
  const isOnCore = ({ from, to }: { from: string; to: string }) =>
    isOptional(from) && to.startsWith("app/features/") && !isOptional(to);

  expect(
    broken(
      features,
      (one) =>
        !one.isOurs ||
        leadsTo(one, "app/features/audit", ...below, ...facts, ...tools) ||
        isNeeded(one) ||
        isOnCore(one) ||
        (one.isTypeOnly && leadsTo(one, ...types)),
    ),
  ).toEqual([]);
});

test("facts import types, each other and leaves", () => {
  const isFacts = ({ from }: { from: string }) =>
    /^app\/(feature|features|features\/[\w-]+\/feature)\.ts$/.test(from);
  const leaves = ["app/feature.ts", "app/features/mail/mail-rule.ts", "app/values"];

  const others = imports.filter(
    (one) =>
      isFacts(one) &&
      !one.isTypeOnly &&
      !leadsTo(one, ...leaves) &&
      !/^app\/features\/[\w-]+\/limits\.ts$/.test(one.to) &&
      !(one.from === "app/features.ts" && /\/(feature|routes)\.ts$/.test(one.to)),
  );
  expect(others).toEqual([]);
});

test("only the worker imports what the features do on the server, and hands it down", () => {
  const others = imports.filter(
    ({ from, to }) => to === "app/features.server.ts" && !from.startsWith("app/worker/"),
  );
  expect(others).toEqual([]);
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

/** What hands conditions and statements down without making them. */
const TYPED_WITH_DRIZZLE = [
  "app/feature.server.ts",
  "app/middleware/panels.server.ts",
  "app/middleware/api-rows.server.ts",
];

test("only db, lists and server-only files of features know Drizzle", () => {
  expect(
    broken(
      () => true,
      (one) =>
        one.to !== "drizzle-orm" ||
        folderOf(one.from) === "db" ||
        folderOf(one.from) === "lists" ||
        (TYPED_WITH_DRIZZLE.includes(one.from) && one.isTypeOnly) ||
        (folderOf(one.from).startsWith("features/") && isServerOnly(one.from)),
    ),
  ).toEqual([]);
});

test("only auth and the permission table know better-auth", () => {
  const owners = ["features/auth", "features/access"];
  // A feature may add plugins of better-auth for its own calls.
  const isPlugins = (file: string) =>
    /^app\/features\/[\w-]+\/[\w-]+-plugins\.server\.ts$/.test(file);

  expect(
    broken(
      () => true,
      (one) =>
        one.to !== "better-auth" || owners.includes(folderOf(one.from)) || isPlugins(one.from),
    ),
  ).toEqual([]);
});

test("middleware imports features, lists, http, i18n, and what a refusal is told from", () => {
  const middleware = (folder: Folder) => folder === "middleware";
  const below = ["app/features", "app/lists", "app/http", "app/values", "app/i18n"];
  const wiring = ["app/runtime", "app/ui/text/message.tsx", "app/db/read.server.ts"];
  const facts = ["app/feature.ts", "app/features.ts"];
  // A database that does not answer, and the word of a form that asks for a proof.
  const refusals = ["app/db/bounded-d1.server.ts", "app/ui/forms/proof.tsx"];

  expect(
    broken(middleware, (one) =>
      one.isOurs
        ? leadsTo(one, ...below, ...wiring, ...facts, ...refusals) ||
          (one.isTypeOnly &&
            leadsTo(one, "app/ui", "app/worker/services.server.ts", "app/db/db.server.ts"))
        : leadsTo(one, "react-router", "remix-themes") ||
          (one.isTypeOnly && leadsTo(one, "zod", "drizzle-orm")),
    ),
  ).toEqual([]);
});

test("http imports React Router, zod, cookie, values, i18n and the kinds of toasts", () => {
  const http = (folder: Folder) => folder === "http";
  const known = ["app/values", "app/i18n", "app/ui/feedback/toast-kinds.ts"];

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

test("db imports Drizzle, the limits of the platform, the type of money, and no other folder of ours", () => {
  const db = (folder: Folder) => folder === "db";

  const outside = ["drizzle-orm", "node:async_hooks", "app/values/platform-limits.ts"];

  expect(
    broken(
      db,
      (one) => leadsTo(one, ...outside) || (one.isTypeOnly && one.to === "app/values/money.ts"),
    ),
  ).toEqual([]);
});

test("only db asks whether the previous statement of a batch changed a row", () => {
  const asking = files.filter((file) =>
    /\bchanges\(\)/.test(readFileSync(join(ROOT, file), "utf8")),
  );

  expect(asking).toEqual(["app/db/change.server.ts"]);
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

test("ui imports languages, money and days, no feature, no server code and no data", () => {
  const ui = (folder: Folder) => folder === "ui";
  const languages = [
    "app/i18n/languages.ts",
    "app/i18n/formats.ts",
    "app/i18n/money-format.ts",
    "app/i18n/message-key.ts",
    "app/i18n/message-reference.ts",
  ];
  const values = ["app/values/money.ts", "app/values/time.ts"];

  expect(
    broken(ui, (one) =>
      one.isOurs
        ? leadsTo(one, ...languages, ...values)
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

test("i18n imports its libraries and money, and no other folder, types of the features' texts apart", () => {
  const i18n = (folder: Folder) => folder === "i18n";
  const types = ["zod", "react-router", "app/feature.ts", "app/features.ts"];

  expect(
    broken(
      i18n,
      (one) =>
        leadsTo(one, "i18next", "app/values/money.ts") ||
        (one.isTypeOnly && leadsTo(one, ...types)),
    ),
  ).toEqual([]);
});

test("runtime imports no other folder, types apart", () => {
  const runtime = (folder: Folder) => folder === "runtime";

  expect(broken(runtime, (one) => leadsTo(one, "react-router") || one.isTypeOnly)).toEqual([]);
});

test("middleware holds the steps around a request, the current user, and what screens of many features ask", () => {
  expect(files.filter((file) => folderOf(file) === "middleware")).toEqual(
    [
      "api-call.server",
      "api-rows.server",
      "ask-plugin.server",
      "before-answer",
      "current-user",
      "dev-pages.server",
      "gateway-call.server",
      "guards",
      "locale",
      "mail-services.server",
      "organization-call.server",
      "own-call.server",
      "own-preferences",
      "panels.server",
      "record-forms.server",
      "session",
      "shell",
      "system-status",
      "theme",
      "turn.server",
    ].map((name) => `app/middleware/${name}.ts`),
  );
});

/** The rooms of these folders sort files by idea; they may import each other. */
const WITH_ROOMS = /^app\/(ui|lists|features\/users)\//;

function folderInCircles(file: string): string {
  return WITH_ROOMS.exec(file)?.[0].slice(0, -1) ?? dirname(file);
}

test("folders form no circle", () => {
  const folders = new Map<string, Set<string>>();
  for (const { from, to, isOurs, isTypeOnly: isType } of imports) {
    const [one, other] = [folderInCircles(from), folderInCircles(to)];
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

test("files form no circle, types included", () => {
  const importsOf = Map.groupBy(
    imports.filter(({ isOurs }) => isOurs),
    ({ from }) => from,
  );
  const isReached = (file: string) => {
    const reached = new Set(importsOf.get(file)?.map(({ to }) => to));
    for (const one of reached) for (const { to } of importsOf.get(one) ?? []) reached.add(to);
    return reached.has(file);
  };

  expect(files.filter(isReached)).toEqual([]);
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
  // The senders and entrypoints are classes of the runtime, which hands the environment to their constructors.
  const senders = ["app/worker/mail-sender.server.ts", "app/worker/feature-alarm.server.ts"];
  const isEntrypoint = (file: string) =>
    /^app\/features\/[\w-]+\/entrypoint\.server\.ts$/.test(file);

  expect(
    imports.filter(
      ({ from, to }) =>
        to.startsWith("cloudflare:") && !senders.includes(from) && !isEntrypoint(from),
    ),
  ).toEqual([]);
});

test("only three files format numbers, money and dates", () => {
  // The calendar formats its own names of days and months; it is drawn in the browser only.
  const writers = ["app/i18n/formats.ts", "app/i18n/money-format.ts", "app/ui/forms/calendar.tsx"];
  // A format of nothing only tells the runtime's own time zone.
  const writing = /Intl\.\w+Format\b(?!\(\)\.resolvedOptions\(\))|\.toLocale\w+\(/;

  expect(files.filter((file) => writing.test(readFileSync(join(ROOT, file), "utf8")))).toEqual(
    writers,
  );
});

test("the app imports no test", () => {
  const ofTests = /^tests\/|\/tests\/|\.test\.tsx?$/;

  expect(imports.filter(({ to, isOurs }) => isOurs && ofTests.test(to))).toEqual([]);
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
