import { createDb } from "../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../app/features/samples/sample-data.server.ts";
import { seed } from "../app/features/samples/seed.server.ts";
import { SERVER_FEATURES } from "../app/features.server.ts";
import { newBrowser } from "../tests/support/client.ts";
import { anAdmin, aSignedInUser } from "../tests/support/people.ts";
import { startGatehouse } from "../tests/support/worker.ts";
import { LIST_PAINT, LIST_SCRIPT, LOGIN_PAINT, LOGIN_SCRIPT, WORKER } from "./bounds.ts";
import type { Figure, Table } from "./figures.ts";
import { measurePaints } from "./paint.ts";
import { weighPage, weighWorker } from "./weight.ts";

type Page = {
  path: string;
  as: "anonymous" | "user" | "admin";
  script?: number;
  /** How many times slower than here the CPU is. */
  slowdown: number;
  paint?: { lcp: number; tbt: number; cls?: number };
};

/** Pages with their bounds. A list draws the most elements, so it is measured on the slowest phone. */
const PAGES: Page[] = [
  { path: "/login", as: "anonymous", script: LOGIN_SCRIPT, slowdown: 4, paint: LOGIN_PAINT },
  { path: "/app", as: "user", slowdown: 4 },
  { path: "/manager/users", as: "admin", script: LIST_SCRIPT, slowdown: 6, paint: LIST_PAINT },
  { path: "/manager/dashboard", as: "admin", slowdown: 4 },
];

/** Measures table 4: bytes sent to a browser and the first paint of four pages, and the size of the worker. */
export async function measureTravel(): Promise<Table> {
  await using gatehouse = await startGatehouse({ isAlone: true });
  await seed(createDb(gatehouse.d1), DEFAULT_SIZE, new Date(), SERVER_FEATURES.samples);
  await gatehouse.runScheduled();
  const browsers = {
    anonymous: newBrowser(gatehouse),
    user: (await aSignedInUser(gatehouse)).browser,
    admin: (await anAdmin(gatehouse)).browser,
  };
  const rows: Table["rows"] = [];
  for (const { path, as, script, slowdown, paint: most } of PAGES) {
    const weight = weighPage(await (await browsers[as].get(path)).text());
    const url = new URL(path, gatehouse.origin);
    const paint = await measurePaints(url, browsers[as].cookies, slowdown);
    const painted: Figure[] = paint
      ? [
          { value: paint.lcp, unit: "ms", atMost: most?.lcp },
          { value: paint.cls, atMost: most?.cls },
          { value: paint.tbt, unit: "ms", atMost: most?.tbt },
          { value: paint.longest, unit: "ms" },
        ]
      : [];
    rows.push({
      name: path,
      figures: [
        { value: weight.script, unit: "kB", atMost: script },
        { value: weight.style, unit: "kB" },
        { value: weight.requests },
        ...painted,
      ],
      note: `CPU ÷ ${slowdown}`,
    });
  }
  return {
    title: "4. What travels, and the first paint",
    columns: ["JavaScript", "CSS", "requests", "LCP", "CLS", "TBT", "longest task"],
    rows: [
      ...rows,
      {
        name: "worker",
        figures: [{ value: weighWorker(), unit: "kB", atMost: WORKER }],
        note: "its JavaScript",
      },
    ],
    remarks: [
      "Bytes are gzipped. LCP, CLS and TBT are measured here, not Lighthouse's scores: medians in Chromium with a slower CPU,",
      "1.6 Mbit/s, 150 ms before each answer, and an empty cache.",
    ],
  };
}
