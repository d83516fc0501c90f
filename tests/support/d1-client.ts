type Statement = { query: string; values: unknown[] };

type Question =
  | { method: "all" | "raw" | "batch"; statements: Statement[] }
  | { method: "exec"; sql: string };

/**
 * Returns a database of a running worker, by its binding, with the methods of D1 that tests and
 * Drizzle call. Each call is one request to `d1-worker.js`. Miniflare's own `D1Database` needs
 * three for a statement, two of which block Node: ten times as long.
 */
export function connectD1(worker: URL, binding = "DB"): D1Database {
  const url = new URL(binding, worker);

  async function ask(question: Question) {
    // The worker closes a connection that is idle for some seconds, and a statement must not be sent twice.
    const headers = { connection: "close" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(question) });
    const { result, error } = (await response.json()) as { result: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  }

  function prepare(query: string, values: unknown[] = []) {
    const statements = [{ query, values }];
    const all = () => ask({ method: "all", statements }) as Promise<D1Result>;
    return {
      query,
      values,
      all,
      run: all,
      bind: (...bound: unknown[]) => prepare(query, bound),
      raw: () => ask({ method: "raw", statements }),
      async first(column?: string) {
        const [row] = (await all()).results as Record<string, unknown>[];
        if (!row) return null;
        return column === undefined ? row : row[column];
      },
    };
  }

  const client = {
    prepare: (query: string) => prepare(query),
    exec: (sql: string) => ask({ method: "exec", sql }),
    batch: (prepared: Statement[]) =>
      ask({
        method: "batch",
        statements: prepared.map(({ query, values }) => ({ query, values })),
      }),
  };
  // D1 has more methods, which no test calls.
  return client as unknown as D1Database;
}
