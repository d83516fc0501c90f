import { existsSync } from "node:fs";
import { isBuildCurrent } from "../../scripts/build.ts";

/** Stops tests of the build when it is missing or stale: they would fail with confusing errors. */
export default function requireBuild(): void {
  if (isBuildCurrent()) return;
  const found = existsSync("build/server/wrangler.json")
    ? "The build was made from other files than those here."
    : "There is no build to test.";
  throw new Error(`${found} Make one with: npm run build`);
}
