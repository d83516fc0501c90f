import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Stops the integration tests when there is no build: without one they fail with confusing errors. */
export default function requireBuild(): void {
  if (existsSync(resolve(import.meta.dirname, "../../build/server/wrangler.json"))) return;
  throw new Error("There is no build to test. Make one with: npm test -- build integration");
}
