import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

const FILE = ".dev.vars";
const SECRET = "BETTER_AUTH_SECRET";

export type DevVars = { vars: Record<string, string>; change: "made" | "secret added" | "kept" };

/** Reads the settings of this machine. Creates them from the example when missing, with a random secret. */
export function prepareDevVars(): DevVars {
  const isNew = !existsSync(FILE);
  if (isNew) copyFileSync(".dev.vars.example", FILE);
  const hasSecret = !isNew && Boolean(readDevVars()[SECRET]);
  if (!hasSecret) writeSecret();
  return {
    vars: readDevVars(),
    change: isNew ? "made" : hasSecret ? "kept" : "secret added",
  };
}

function readDevVars() {
  return parseEnv(readFileSync(FILE, "utf8")) as Record<string, string>;
}

function writeSecret() {
  const line = `${SECRET}=${randomBytes(32).toString("base64url")}`;
  const text = readFileSync(FILE, "utf8");
  const existing = new RegExp(`^\\s*${SECRET}\\s*=.*$`, "m");
  writeFileSync(
    FILE,
    existing.test(text) ? text.replace(existing, line) : `${text.trimEnd()}\n${line}\n`,
  );
}
