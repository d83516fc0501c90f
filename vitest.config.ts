import { defineConfig } from "vitest/config";
import { ENGINE_NAMES } from "./scripts/engines.ts";
import { joinedTexts } from "./scripts/join-texts.ts";
import { isFull } from "./tests/support/thoroughness.ts";

// They end what hangs, and nothing that is slow because the machine has other work.
const timeouts = {
  // Twenty rounds of a race take minutes.
  testTimeout: isFull ? 900_000 : 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
};

const againstTheBuild = {
  ...timeouts,
  globalSetup: ["tests/support/require-build.ts"],
  // A test often waits for its workerd, so three keep two cores busy.
  maxWorkers: 3,
  // Files share modules and a workerd: starting them for each file takes longer than its tests.
  isolate: false,
};

/**
 * Tests run in plain Node: unit tests test pure files, integration tests send HTTP requests to the
 * built worker, and tests of operations run the commands of operators. The journeys run in a
 * browser: each engine has its project.
 */
export default defineConfig({
  // The tests do not use the app's build, so they need none of its other plugins.
  plugins: [joinedTexts()],
  define: {
    __BUILD__: JSON.stringify({ version: "test", commit: "test", time: "test" }),
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          ...timeouts,
          name: "unit",
          include: ["app/**/*.test.ts", "scripts/**/*.test.ts", "tests/*.test.ts"],
          exclude: ["app/features/*/tests/**"],
          // Pure files keep nothing between tests, and loading them for each file takes longer than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...againstTheBuild,
          name: "integration",
          include: ["tests/integration/**/*.test.ts", "app/features/*/tests/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...againstTheBuild,
          name: "operations",
          include: ["tests/operations/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...timeouts,
          // Each takes minutes: it builds and starts what is left.
          testTimeout: 3_600_000,
          name: "removal",
          include: ["tests/removal/**/*.test.ts"],
        },
      },
      ...ENGINE_NAMES.map((engine, index) => ({
        extends: true as const,
        test: {
          ...againstTheBuild,
          name: engine,
          include: ["tests/engines/**/*.test.ts"],
          provide: { engine },
          // One browser, which the files use one after the other.
          maxWorkers: 1,
          // Vitest runs projects with another number of workers in a group of their own.
          sequence: { groupOrder: index + 1 },
        },
      })),
    ],
  },
});
