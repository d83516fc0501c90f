import { defineConfig } from "@playwright/test";
import { ensureChromium } from "./scripts/chromium.ts";

// Playwright's worker processes read this file too, and find the path in the environment.
process.env.CHROMIUM_PATH ??= await ensureChromium();

/** Runs Chromium against the built worker. Each process has its own worker and database. */
export default defineConfig({
  testDir: ".",
  testMatch: ["tests/e2e/*.spec.ts", "app/features/*/tests/*.spec.ts"],
  globalSetup: "./tests/support/require-build.ts",
  // A browser often waits for its workerd, so three keep two cores busy.
  workers: 3,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // These only end a hanging test, hook or fixture: no test measures speed.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  outputDir: "test-results",
  // Traces would double the time of the tests. Switch them on with --trace=on.
  use: {
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
