import { expect, test } from "vitest";
import { z } from "zod";
import { type ApiEndpoint, type ApiError, COMMON_API_ERRORS } from "../access/api-endpoint.ts";
import { ApiProblem, REPOSITORY_API } from "./api.ts";

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

test("the documentation can print a problem", () => {
  expect(() => z.toJSONSchema(ApiProblem, { io: "input" })).not.toThrow();
});
