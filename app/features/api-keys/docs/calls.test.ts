import { expect, test } from "vitest";
import { z } from "zod";
import { joinTexts } from "../../../../scripts/join-texts.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import { problemTexts } from "../../../http/problem.server.ts";
import type { ApiError } from "../../access/api-endpoint.ts";
import { needsProof } from "../../access/proof.ts";
import { firstPath } from "../snippets.ts";
import { COMMON_API_ERRORS } from "./common-errors.ts";
import { exampleOf } from "./example.ts";
import { apiErrorCodes, openApiDocument } from "./openapi.server.ts";
import { shownCalls } from "./shown-calls.ts";

// The calls of all features.
const endpoints = Object.entries(SERVER_FEATURES.api);

test("no two calls have the same method and path", () => {
  const keys = endpoints.map(([, { method, path }]) => `${method} ${path}`);

  expect(new Set(keys).size).toBe(keys.length);
});

test.each(endpoints)("%s names each error once, and none that every call has", (_, endpoint) => {
  const named = [...COMMON_API_ERRORS, ...endpoint.errors].map((error: ApiError) => error.join());

  expect(new Set(named).size).toBe(named.length);
});

test.each(endpoints)("%s has schemas that its documentation can print", (_, endpoint) => {
  const { query, body, answer } = endpoint;
  for (const input of [query, body]) {
    if (input) expect(() => z.toJSONSchema(input, { io: "input" })).not.toThrow();
  }
  const output = answer.body;
  if (output) expect(() => z.toJSONSchema(output)).not.toThrow();
  expect(answer.status === 204).toBe(output === undefined);
});

test("what needs a proof on a screen has a permission of its own, which a key is given by name", () => {
  const scopesOf = (isProved: boolean) =>
    endpoints
      .filter(([, { act }]) => needsProof(act) === isProved)
      .map(([, { act }]) => act.permission.join("."));
  const harmless = scopesOf(false);

  for (const scope of scopesOf(true)) expect(harmless).not.toContain(scope);
});

test.each(endpoints)("%s has a problem that the documentation can print", (_, { problem }) => {
  if (problem) expect(() => z.toJSONSchema(problem, { io: "input" })).not.toThrow();
});

test("each group of calls has a title in the documentation", () => {
  for (const [, { path }] of endpoints) {
    expect(joinTexts("en").api).toHaveProperty(`group.${path.split("/")[3]}`);
  }
});

test("each permission of a call has a text on the screen with keys", () => {
  const { scopes, "api-keys": keys } = joinTexts("en");

  for (const [, { act, organization, isOfOrganization, isForAll }] of endpoints) {
    if (!isOfOrganization && !isForAll) expect(scopes).toHaveProperty(act.permission.join("."));
    if (organization) expect(keys).toHaveProperty(`sharedScopes.${organization.join(".")}`);
  }
});

// What the documentation shows of each call, as it is printed.
const { own, client } = shownCalls(
  openApiDocument(
    { client: {}, own: SERVER_FEATURES.api, apps: SERVER_FEATURES.appCallers },
    { title: "Site", version: "1", baseUrl: "https://app.example.com", cookie: "session" },
  ),
  SERVER_FEATURES.api,
);
const shown = own.flatMap(({ calls }) => calls);

test("the documentation shows exactly the calls of the features", () => {
  const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

  expect(shown.map(keyOf).sort()).toEqual(endpoints.map(([, one]) => keyOf(one)).sort());
  expect(client).toEqual([]);
});

test.each(endpoints)("%s has an example of its answer that its schema takes", (_, endpoint) => {
  const { answer, method, path } = endpoint;
  const call = shown.find((one) => one.method === method && one.path === path);

  expect(call?.status).toBe(answer.status);
  expect(call?.example === undefined).toBe(answer.body === undefined);
  if (answer.body) {
    expect(answer.body.safeParse(JSON.parse(call?.example ?? "")).error).toBeUndefined();
  }
});

test.each(endpoints)("%s has an example of its request that it takes", (_, endpoint) => {
  const { body, method, path, requires } = endpoint;
  const call = shown.find((one) => one.method === method && one.path === path);
  const request = call?.request ?? "";
  const [, sent] = /-d '([^']*)'$/.exec(request) ?? [];

  expect(request).toContain(`"https://app.example.com${path.replace(/\{.*/, "")}`);
  expect(request).not.toContain("{id}");
  expect(request).toContain('-H "Authorization: Bearer YOUR_KEY"');
  expect(request.includes("If-Match")).toBe(requires === "If-Match");
  expect(sent === undefined).toBe(body === undefined);
  if (body) expect(body.safeParse(JSON.parse(sent ?? "")).error).toBeUndefined();
});

test.each(endpoints)("%s names the permissions that its key needs", (_, endpoint) => {
  const { act, organization, isOfOrganization, isForAll, method, path } = endpoint;
  const isOfUser = !isOfOrganization && !isForAll;
  const call = shown.find((one) => one.method === method && one.path === path);

  expect(call?.scopes).toEqual([
    ...(isOfUser ? [{ scope: act.permission.join("."), isOfOrganization: false }] : []),
    ...(organization ? [{ scope: organization.join("."), isOfOrganization: true }] : []),
  ]);
});

test("a first try is a call that the key may make", () => {
  for (const isOfOrganization of [false, true]) {
    for (const [, { act, organization }] of endpoints) {
      const permission = isOfOrganization ? organization : act.permission;
      if (!permission) continue;
      const scope = permission.join(".");
      const path = firstPath(SERVER_FEATURES.api, { scopes: [scope], isOfOrganization });
      const tried = endpoints.find(([, one]) => one.method === "GET" && one.path === path)?.[1];
      const needed = isOfOrganization ? tried?.organization : tried?.act.permission;
      if (tried) expect(needed?.join(".")).toBe(scope);
    }
  }
  expect(firstPath(SERVER_FEATURES.api, { scopes: [], isOfOrganization: false })).toBeUndefined();
});

// Hints about screens, which a program cannot follow.
const OF_SCREENS = /reload|this page|this screen|button|to continue|sign in|attempts/i;

test.each(apiErrorCodes({ own: SERVER_FEATURES.api, apps: SERVER_FEATURES.appCallers }))(
  "the text of %s is for a program",
  (code) => {
    const texts = joinTexts("en");
    const [own, ofScreens] = problemTexts(code).map((key) => {
      const [namespace = "", name = ""] = key.split(":");
      return Object(texts[namespace])[name];
    });

    expect(own ?? ofScreens).not.toMatch(OF_SCREENS);
  },
);

test("a field that can be null says its type, and its example has a value where its name says one", () => {
  const { types } = shownCalls(
    {
      openapi: "3.1.0",
      info: { title: "Site", version: "1" },
      servers: [{ url: "https://app.example.com" }],
      paths: {},
      components: {
        schemas: { Thing: { properties: { note: { type: ["string", "null"] } } } },
        securitySchemes: {},
      },
    },
    {},
  );

  expect(types[0]?.fields).toEqual([{ name: "note", type: "string | null", isRequired: false }]);
  const note = { type: ["string", "null"] };
  const schema = { type: "object", properties: { note, next: note } };
  expect(exampleOf(schema, {})).toEqual({ note: "A few words", next: null });
});
