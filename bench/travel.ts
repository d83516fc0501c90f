import { createDb } from "../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../app/features/samples/sample-data.server.ts";
import { seed } from "../app/features/samples/seed.server.ts";
import { newBrowser } from "../tests/support/client.ts";
import { anAdmin, aSignedInUser } from "../tests/support/people.ts";
import { startGatehouse } from "../tests/support/worker.ts";
import type { Table } from "./figures.ts";
import { measurePaints } from "./paint.ts";
import { weighPage, weighWorker } from "./weight.ts";

/** Pages, with the JavaScript in bytes that they may load. */
const PAGES = [
  { path: "/login", as: "anonymous", script: 150_000 },
  { path: "/app", as: "user", script: undefined },
  { path: "/manager/users", as: "admin", script: 180_000 },
  { path: "/manager/dashboard", as: "admin", script: undefined },
] as const;

/** Measures table 4: bytes sent to a browser and the first paint of four pages, and the size of the worker. */
export async function measureTravel(): Promise<Table> {
  await using gatehouse = await startGatehouse({ isAlone: true });
  await seed(createDb(gatehouse.d1), DEFAULT_SIZE, new Date());
  await gatehouse.runScheduled();
  const browsers = {
    anonymous: newBrowser(gatehouse),
    user: (await aSignedInUser(gatehouse)).browser,
    admin: (await anAdmin(gatehouse)).browser,
  };
  const rows: Table["rows"] = [];
  for (const { path, as, script } of PAGES) {
    const weight = weighPage(await (await browsers[as].get(path)).text());
    const paint = await measurePaints(new URL(path, gatehouse.origin), browsers[as].cookies);
    const isLogin = path === "/login";
    rows.push({
      name: path,
      figures: [
        { value: weight.script, unit: "kB", ...(script ? { atMost: script } : {}) },
        { value: weight.style, unit: "kB" },
        { value: weight.requests },
        ...(paint
          ? [
              { value: paint.lcp, unit: "ms" as const, ...(isLogin ? { atMost: 1_200 } : {}) },
              { value: paint.cls, ...(isLogin ? { atMost: 0 } : {}) },
              { value: paint.tbt, unit: "ms" as const, ...(isLogin ? { atMost: 100 } : {}) },
            ]
          : []),
      ],
    });
  }
  return {
    title: "4. What travels, and the first paint",
    columns: ["JavaScript", "CSS", "requests", "LCP", "CLS", "TBT"],
    rows: [
      ...rows,
      {
        name: "worker",
        figures: [{ value: weighWorker(), unit: "kB", atMost: 850_000 }],
        note: "its JavaScript",
      },
    ],
    remarks: [
      "Bytes are gzipped. LCP, CLS and TBT are measured here, not Lighthouse's scores: medians in Chromium with a CPU four",
      "times slower, 1.6 Mbit/s, 150 ms before each answer, and an empty cache.",
    ],
  };
}
