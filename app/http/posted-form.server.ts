import { createContext } from "react-router";
import { countFields } from "./form-fields.ts";
import { MAX_FIELDS, SECRETS } from "./forms.server.ts";

/** Names and values of a posted form, in their order. */
export type PostedForm = [name: string, value: string][];

/** Returns what a browser has posted; undefined for a request without a form. */
export const postedFormContext = createContext<() => Promise<PostedForm | undefined>>(
  async () => undefined,
);

/**
 * Keeps what a browser without JavaScript has posted, for the page that says that the database did
 * not answer. A form with JavaScript keeps its values itself. Nothing is read before the returned
 * function is called.
 */
export function keepPostedForm(request: Request): () => Promise<PostedForm | undefined> {
  const type = request.headers.get("content-type") ?? "";
  const isForm = type.startsWith("application/x-www-form-urlencoded");
  const isPlain = isForm && !new URL(request.url).pathname.endsWith(".data");
  // `readAhead` has read a body of this size.
  const isRead = request.headers.has("content-length");
  if (request.method !== "POST" || !isPlain || !isRead) return async () => undefined;
  const copy = request.clone();
  return async () => {
    const body = new Uint8Array(await copy.arrayBuffer());
    if (countFields(body, type) > MAX_FIELDS) return undefined;
    const form = new URLSearchParams(new TextDecoder().decode(body));
    return [...form].filter(([name]) => !SECRETS.includes(name));
  };
}
