import { type CheckedMessage, messageReference } from "../../ui/text/message.tsx";
import type { ReadProblem } from "./read-rows.ts";

/** Returns the message about a file that cannot be read. */
export function problemMessage({ problem, line }: ReadProblem): CheckedMessage {
  if (problem === "encoding") return "import:problem.encoding";
  return messageReference("import:problem.quote", { line });
}
