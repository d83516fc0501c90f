import type { ServerFacts } from "../../feature.server.ts";
import { DEMO_ACCOUNTS } from "./accounts.ts";
import type { demo } from "./feature.ts";
import { addDemoSample, fillDemo } from "./fill.server.ts";
import { keepReadOnly, READ_ONLY } from "./read-only.server.ts";

export const demoServer = {
  beforeAnswer: keepReadOnly,
  minute: [
    {
      name: "fill demo",
      run: async ({ config, db, samples }, now) => {
        if (config.isDemo) await fillDemo(db, now, samples);
      },
    },
  ],
  demonstration: { accounts: DEMO_ACCOUNTS, refusal: READ_ONLY, addSample: addDemoSample },
} satisfies ServerFacts<typeof demo>;
