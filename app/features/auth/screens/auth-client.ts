import { createAuthClient } from "better-auth/client";

/** Reads and network failures are tried again like this; a write that may have happened never is. */
const RETRIES = 3;
const RETRY_DELAY_MS = 1_000;

/** better-auth's own client, for what is neither a screen nor a form. Loaded when it is first needed. */
const authClient = createAuthClient({
  basePath: "/api/auth",
  fetchOptions: { credentials: "include" },
});

/** Whether this browser still has a session. Undefined when the server cannot be reached. */
export async function hasSession(): Promise<boolean | undefined> {
  const { data, error } = await authClient.getSession({
    fetchOptions: { retry: { type: "linear", attempts: RETRIES, delay: RETRY_DELAY_MS } },
  });
  return error ? undefined : data !== null;
}
