/** A form as it was sent. */
export type SentForm = {
  entries: FormData;
  action: string;
  encType: "multipart/form-data" | "application/x-www-form-urlencoded";
};

/** Returns a function that sends a form once more, and the typed values. */
export async function readSentForm(sent: Pick<Request, "url" | "formData">) {
  const { pathname, search } = new URL(sent.url);
  const entries = await sent.formData();
  const isUpload = [...entries.values()].some((value) => typeof value !== "string");
  const encType = isUpload ? "multipart/form-data" : "application/x-www-form-urlencoded";
  const next: SentForm = { entries, action: pathname + search, encType };
  return { next, values: textsOf(entries) };
}

/** The typed values by name. The values of a list are joined, as on the server. */
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
