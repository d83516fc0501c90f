import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { Environment } from "../app/features/environment/config.ts";

test(".dev.vars.example lists every setting of the product, and no other", () => {
  const example = readFileSync(new URL("../.dev.vars.example", import.meta.url), "utf8");
  const names = [...example.matchAll(/^(?:# )?([A-Z\d_]+)=/gm)].map(([, name]) => name);

  expect(names.sort()).toEqual(Object.keys(Environment.shape).sort());
});

test(".dev.vars sets no origin, so that each port can have its own", () => {
  const example = readFileSync(new URL("../.dev.vars.example", import.meta.url), "utf8");

  expect(example).toMatch(/^# BASE_URL=/m);
  expect(parseEnv(example)).not.toHaveProperty("BASE_URL");
});

test("wrangler.toml sets only settings that the product reads, and no secret", () => {
  const toml = readFileSync(new URL("../wrangler.toml", import.meta.url), "utf8");
  const vars = /^\[vars\]\n([\s\S]*?)(?:^\[|(?![\s\S]))/m.exec(toml)?.[1] ?? "";
  const names = [...vars.matchAll(/^(\w+)\s*=/gm)].map(([, name]) => name ?? "");

  expect(names).toContain("BASE_URL");
  expect(Object.keys(Environment.shape)).toEqual(expect.arrayContaining(names));
  expect(names.filter((name) => /SECRET|API_KEY/.test(name))).toEqual([]);
});
