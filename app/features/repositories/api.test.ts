import { expect, test } from "vitest";
import { z } from "zod";
import texts from "../../../locales/en/api-keys.json" with { type: "json" };
import type { ApiEndpoint, ApiError } from "../access/api-endpoint.ts";
import { needsProof } from "../access/proof.ts";
import { COMMON_API_ERRORS } from "../api-keys/docs/common-errors.ts";
import { REPOSITORY_API, RepositoryProblem } from "./api.ts";

const endpoints: [string, ApiEndpoint][] = Object.entries(REPOSITORY_API);

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
  const proved = endpoints.filter(([, { act }]) => needsProof(act));
  const harmless = endpoints.filter(([, { act }]) => !needsProof(act));
  const scopesOf = (calls: typeof endpoints) =>
    calls.map(([, { permissions }]) => permissions.user.join("."));

  expect(scopesOf(proved)).toEqual(["repository.delete"]);
  expect(scopesOf(harmless)).not.toContain("repository.delete");
});

test("the documentation can print a problem", () => {
  expect(() => z.toJSONSchema(RepositoryProblem, { io: "input" })).not.toThrow();
});

test("each permission of a call has a text on the screen with keys", () => {
  const textOf = (scopes: Record<string, Record<string, string>>, path: readonly string[]) =>
    scopes[path[0] ?? ""]?.[path[1] ?? ""];

  for (const [, { permissions }] of endpoints) {
    expect(textOf(texts.scopes, permissions.user)).toBeTypeOf("string");
    if (permissions.organization) {
      expect(textOf(texts.sharedScopes, permissions.organization)).toBeTypeOf("string");
    }
  }
});
