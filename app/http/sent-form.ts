import { proveFirst } from "./unproved.ts";

/** Asks for a proof, after which a form is sent again, and returns what was typed in it. */
export async function keepForm(sent: Pick<Request, "url" | "formData">, isByPasskey: boolean) {
  const { pathname, search } = new URL(sent.url);
  const entries = await sent.formData();
  const isUpload = [...entries.values()].some((value) => typeof value !== "string");
  const encType = isUpload ? "multipart/form-data" : "application/x-www-form-urlencoded";
  proveFirst({ entries, action: pathname + search, encType }, isByPasskey);
  return { values: textsOf(entries), errors: {} };
}

/** The typed values by name; those of a list are joined, as the server does it. */
function textsOf(entries: FormData): Record<string, string> {
  return Object.fromEntries(
    [...new Set(entries.keys())].map((name) => [
      name,
      entries
        .getAll(name)
        .filter((value) => typeof value === "string")
        .join(","),
    ]),
  );
}
