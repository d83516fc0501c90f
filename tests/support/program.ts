import { requireRetryAfter } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

type Sent = {
  /** JSON body; a text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
};

/** The members of the API's answers that tests read one by one; what is not in an answer is undefined. */
type Body = {
  id: string;
  repositories: { id: string; name: string }[];
  total: number;
  next: string | null;
  code: string;
  errors: { field: string; code: string; message: string }[];
};

/** What the API answered. */
export type Answered = {
  status: number;
  headers: Headers;
  body: Body;
};

/** Returns a program that calls the API with a key. */
export function aProgram(gatehouse: Pick<Gatehouse, "url">, secret: string | undefined) {
  return async (method: string, path: string, { body, headers }: Sent = {}): Promise<Answered> => {
    const response = await fetch(new URL(`/api/v1${path}`, gatehouse.url), {
      method,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      redirect: "manual",
    });
    requireRetryAfter(path, response);
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    };
  };
}
