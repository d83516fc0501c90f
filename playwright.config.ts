import { defineConfig } from "@playwright/test";
import { ensureChromium } from "./scripts/chromium.ts";

// The worker processes read this file too; they find the answer here.
process.env.CHROMIUM_PATH ??= await ensureChromium();

/** Chromium against the built worker. Each process has one of its own, with its own database. */
export default defineConfig({
  testDir: "tests/e2e",
  // Two cores: two browsers, each with its workerd.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000,
  reporter: "list",
  outputDir: "test-results",
  // A trace of every test would double the time they take; ask for one with --trace=on.
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
