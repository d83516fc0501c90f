import { z } from "zod";
import { dayOf } from "../../values/time.ts";
import type { Usage } from "./usage.ts";

const TIMEOUT_MS = 2_000;
const KEPT_MS = 60_000;

const QUERY = `query ($account: string!, $database: string!, $day: Date!) {
  viewer {
    accounts(filter: { accountTag: $account }) {
      d1AnalyticsAdaptiveGroups(limit: 1, filter: { databaseId: $database, date_geq: $day, date_leq: $day }) {
        sum { rowsRead rowsWritten }
      }
    }
  }
}`;

const Sum = z.object({ rowsRead: z.number().min(0), rowsWritten: z.number().min(0) });

/** The answer, as far as it is needed. A day without queries has no group. */
const Answer = z.object({
  data: z.object({
    viewer: z.object({
      accounts: z
        .array(z.object({ d1AnalyticsAdaptiveGroups: z.array(z.object({ sum: Sum })) }))
        .min(1),
    }),
  }),
});

/** Settings of Cloudflare's GraphQL analytics API. */
export type AnalyticsSettings = {
  token: string | undefined;
  accountId: string | undefined;
  databaseId: string | undefined;
  url: string;
};

export type UsageReader = (now: Date) => Promise<Usage>;

/**
 * Returns a function that asks Cloudflare how many rows the database read and wrote on this UTC day. It never throws and
 * takes 2 seconds at most. The isolate keeps an answer for a minute.
 */
export function createUsageReader(settings: AnalyticsSettings): UsageReader {
  let kept: { usage: Usage; at: number } | undefined;
  return async (now) => {
    const age = kept ? now.getTime() - kept.at : Number.POSITIVE_INFINITY;
    if (kept && age >= 0 && age < KEPT_MS) return kept.usage;
    const usage = await readUsage(settings, now);
    if (usage.isKnown) kept = { usage, at: now.getTime() };
    return usage;
  };
}

async function readUsage(settings: AnalyticsSettings, now: Date): Promise<Usage> {
  const { token, accountId, databaseId, url } = settings;
  if (!token || !accountId || !databaseId) return { isKnown: false, reason: "off" };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        query: QUERY,
        variables: { account: accountId, database: databaseId, day: dayOf(now) },
      }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401 || response.status === 403) {
      return { isKnown: false, reason: "refused" };
    }
    if (!response.ok) return { isKnown: false, reason: "failing" };
    const answer = Answer.safeParse(await response.json());
    // GraphQL reports a wrong account or a missing permission with status 200.
    if (!answer.success) return { isKnown: false, reason: "refused" };
    const [group] = answer.data.data.viewer.accounts.flatMap(
      (account) => account.d1AnalyticsAdaptiveGroups,
    );
    return { isKnown: true, ...(group?.sum ?? { rowsRead: 0, rowsWritten: 0 }) };
  } catch (error) {
    const isSlow = error instanceof Error && error.name === "TimeoutError";
    return { isKnown: false, reason: isSlow ? "slow" : "failing" };
  }
}
