import type { RouterContextProvider } from "react-router";
import { requestContext } from "../../http/request-context.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type CsvRows, csvResponse } from "./csv.ts";

/** Answers a list's export as a CSV file. A query that fails half-way is logged, and the download is cut off. */
export function answerExport(
  context: Readonly<RouterContextProvider>,
  name: string,
  file: { header: string[]; rows: CsvRows },
): Response {
  const { id } = context.get(requestContext);
  return csvResponse(name, file, (error) =>
    log("error", "export.failed", { request: id, export: name, ...describeError(error) }),
  );
}
