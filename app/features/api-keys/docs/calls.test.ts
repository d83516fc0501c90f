import { expect, test } from "vitest";
import { z } from "zod";
import { joinTexts } from "../../../../scripts/join-texts.ts";
import { SERVER_FEATURES } from "../../../features.server.ts";
import type { ApiError } from "../../access/api-endpoint.ts";
import { needsProof } from "../../access/proof.ts";
import { COMMON_API_ERRORS } from "./common-errors.ts";

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
  const texts = joinTexts("en")["api-keys"];

  for (const [, { act, organization, isOfOrganization }] of endpoints) {
    if (!isOfOrganization) expect(texts).toHaveProperty(`scopes.${act.permission.join(".")}`);
    if (organization) expect(texts).toHaveProperty(`sharedScopes.${organization.join(".")}`);
  }
});
