import { createAuthClient } from "better-auth/client";

/** Retries for reads and network failures. A write that may have happened is never retried. */
const RETRIES = 3;
const RETRY_DELAY_MS = 1_000;

/** better-auth's client, for calls that are neither a screen nor a form. Loaded on first use. */
const authClient = createAuthClient({
  basePath: "/api/auth",
  fetchOptions: { credentials: "include" },
});

/** Returns whether this browser still has a session; undefined when the server cannot be reached. */
export async function hasSession(): Promise<boolean | undefined> {
  const { data, error } = await authClient.getSession({
    fetchOptions: { retry: { type: "linear", attempts: RETRIES, delay: RETRY_DELAY_MS } },
  });
  return error ? undefined : data !== null;
}
