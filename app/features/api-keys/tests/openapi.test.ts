import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import createClient from "openapi-fetch";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { newBrowser } from "../../../../tests/support/client.ts";
import { FEATURE_TESTS } from "../../../../tests/support/feature-tests.ts";
import { aUser } from "../../../../tests/support/people.ts";
import { listUrls } from "../../../../tests/support/routes.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aKey } from "./api-keys.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Described = {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
};

const description: Described = JSON.parse(
  await (await newBrowser(gatehouse).get("/api/openapi.json")).text(),
);
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const calls = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method): [string, string] => [method.toUpperCase(), path]),
);

/** What answers below /api and is no call of a program. */
const NO_CALLS = [
  "/api/docs",
  "/api/docs.md",
  "/api/openapi.json",
  // Answers paths that the API does not have.
  "/api/v1/*",
  // Called by Resend.
  "/api/webhooks/resend",
];

test("a validator accepts the description, whose title is the site's name", async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(description) });

  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(description).toMatchObject({ openapi: "3.1.0", info: { title: "Gatehouse" } });
  expect(calls.length).toBeGreaterThan(70);
});

test("every reference leads to a component", () => {
  const text = JSON.stringify(description);
  const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  const known = Object.keys(description.components.schemas);

  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => name && !known.includes(name))).toEqual([]);
  expect(text).not.toContain("#/$defs/");
});

test.each(calls)("%s %s answers, and its other methods do not", async (method, path) => {
  const described = calls.flatMap(([one, of]) => (of === path ? [one] : []));
  const url = path.replaceAll(/\{\w+\}/g, "x");
  for (const one of METHODS) {
    const browser = newBrowser(gatehouse);
    const body = one === "GET" ? undefined : "{}";
    const headers = { "content-type": "application/json" };
    const answer = await browser.request(url, { method: one, body, headers });
    const { code }: { code?: string } = Object(JSON.parse((await answer.text()) || "{}"));
    if (described.includes(one)) {
      expect([one, answer.status === 405 || code === "NOT_FOUND"]).toEqual([one, false]);
      expect(answer.status).toBeLessThan(500);
    } else {
      // Without a key, a call of the product's own API says nothing else.
      expect([one, answer.status]).toEqual([one, path.startsWith("/api/v1/") ? 401 : 405]);
    }
  }
  expect(described).toContain(method);
});

const NOT_DESCRIBED = FEATURE_TESTS.flatMap(({ noCalls = [] }) => noCalls).concat(NO_CALLS);

test("every route below /api is described, or no call of a program", () => {
  const patterns = listUrls()
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern.startsWith("/api/") && !NOT_DESCRIBED.includes(pattern));
  const described = Object.keys(description.paths).map((path) =>
    path.startsWith("/api/auth/") ? "/api/auth/*" : path.replaceAll(/\{(\w+)\}/g, ":$1"),
  );

  expect([...new Set(described)].sort()).toEqual(patterns.sort());
});

const TYPES = ["api.d.ts", "journey.ts"] as const;

const JOURNEY = `
import type { Client } from "openapi-fetch";
import type { paths } from "./api.d.ts";

export async function journey({ GET, POST, PUT, DELETE }: Client<paths>, name: string) {
  const link = "https://git.example/acme/gate";
  const created = await POST("/api/v1/repositories", { body: { name, link } });
  if (!created.data) throw new Error(created.error.code);
  const { id, version } = created.data;
  const of = { params: { path: { id } } };
  const one = "/api/v1/repositories/{id}";
  const changed = await PUT(one, { ...of, body: { name, link, description: "New", version } });
  const conflict = await PUT(one, { ...of, body: { name, link, description: "Old", version } });
  const query = { searchTerm: name };
  const found = await GET("/api/v1/repositories", { params: { query } });
  const tag = changed.response.headers.get("etag") ?? "";
  const deleted = await DELETE(one, { params: { ...of.params, header: { "If-Match": tag } } });
  const gone = await GET(one, of);
  return [
    changed.data?.version,
    conflict.error?.code,
    conflict.error?.theirs?.description,
    found.data?.repositories.length,
    deleted.response.status,
    gone.error?.code,
  ];
}
`;

test("a client that is generated from it compiles, and creates, changes, meets a conflict and deletes", async () => {
  // Inside the project, so that the client finds its package.
  const folder = resolve(
    import.meta.dirname,
    `../../../../.react-router/api-client-${process.pid}`,
  );
  mkdirSync(folder, { recursive: true });
  try {
    const [types = "", file = ""] = TYPES.map((name) => join(folder, name));
    writeFileSync(types, astToString(await openapiTypes(JSON.stringify(description))));
    writeFileSync(file, JOURNEY);
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      types: [],
      lib: ["lib.es2024.d.ts", "lib.dom.d.ts"],
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
    expect(problems).toEqual([]);

    const { secret } = await aKey(gatehouse, await aUser(gatehouse, { role: "admin" }));
    const client = createClient({
      baseUrl: gatehouse.url.origin,
      headers: { Authorization: `Bearer ${secret}` },
    });
    const { journey } = await import(/* @vite-ignore */ pathToFileURL(file).href);
    expect(await journey(client, `gate ${crypto.randomUUID()}`)).toEqual([
      ...[2, "CONFLICT", "New", 1, 204, "REPOSITORY_NOT_FOUND"],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
