import { defineConfig } from "vitest/config";

/** Plain Node: the unit tests are of pure files, the integration tests talk to the built worker over HTTP. */
export default defineConfig({
  // The app's own build is not involved, so neither are its plugins.
  define: { __BUILD__: JSON.stringify({ version: "test", commit: "test", time: "test" }) },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["app/**/*.test.ts", "scripts/**/*.test.ts", "tests/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: ["tests/support/require-build.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Each file runs its own workerd; two cores take two of them.
          maxWorkers: 2,
          // Files share nothing but modules: loading Miniflare anew for each of them costs more than their tests.
          isolate: false,
        },
      },
    ],
  },
});
