import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The integration tests talk to the built worker; without one they could only fail in confusing ways. */
export default function requireBuild(): void {
  if (existsSync(resolve(import.meta.dirname, "../../build/server/wrangler.json"))) return;
  throw new Error("There is no build to test. Make one with: npm test -- build integration");
}
