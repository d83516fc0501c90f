import { createDb } from "../app/db/db.server.ts";
import { DEFAULT_SIZE } from "../app/features/demo/sample-data.server.ts";
import { seed } from "../app/features/demo/seed.server.ts";
import { anAdmin } from "../tests/support/people.ts";
import { startGatehouse } from "../tests/support/worker.ts";
import { HELLO, startBare } from "./bare.ts";
import type { Table } from "./figures.ts";
import { measureRatio } from "./load.ts";
import { measurePaint } from "./paint.ts";
import { measureStartup } from "./startup.ts";
import { weighPage, weighWorker } from "./weight.ts";

type Effort = { rounds: number; roundMs: number; startups: number };

/** Measures table 4: bytes sent to a browser, the first paint, the size of the worker and its start-up time. */
export async function measureTravel(effort: Effort): Promise<Table> {
  await using gatehouse = await startGatehouse();
  await seed(createDb(gatehouse.d1), DEFAULT_SIZE, new Date());
  const { browser } = await anAdmin(gatehouse);
  const read = async (path: string) => (await browser.get(path)).text();
  const list = weighPage(await read("/manager/users"));
  const loginUrl = new URL("/login", gatehouse.origin);
  const login = weighPage(await (await fetch(loginUrl)).text());
  await using hello = await startBare(HELLO);
  const target = { url: new URL("/login", gatehouse.directUrl) };
  const ratio = await measureRatio({ url: hello.directUrl }, target, effort);
  return {
    title: "4. What travels, and the first paint",
    columns: ["value"],
    rows: [
      {
        name: "/login: JavaScript, gzip",
        figures: [{ value: login.script, unit: "kB", atMost: 135_000 }],
        note: "goal 120 kB",
      },
      { name: "/login: CSS, gzip", figures: [{ value: login.style, unit: "kB", atMost: 8_000 }] },
      { name: "/login: requests", figures: [{ value: login.requests, atMost: 15 }] },
      {
        name: "/manager/users: JavaScript, gzip",
        figures: [{ value: list.script, unit: "kB", atMost: 150_000 }],
      },
      {
        name: "/login: requests a second ÷ hello",
        figures: [{ value: ratio, atLeast: 0.07 }],
        note: `median of ${effort.rounds}`,
      },
      ...(await measurePaint(loginUrl)),
      { name: "worker, gzip", figures: [{ value: weighWorker(), unit: "kB", atMost: 750_000 }] },
      {
        name: "worker: start-up CPU",
        figures: [{ value: await measureStartup(effort.startups), unit: "ms", atMost: 100 }],
        note: `the least of ${effort.startups}`,
      },
    ],
    remarks: [
      "LCP, CLS and TBT are measured here, not Lighthouse's scores: medians in Chromium with a CPU four times slower,",
      "1.6 Mbit/s, 150 ms before each answer, and an empty cache.",
    ],
  };
}
