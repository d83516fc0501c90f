import { z } from "zod";
import { REASON_MAX_LENGTH } from "./limits.ts";

const REQUIRED = "validation:reason.required";

/** Why a manager does something: free text, trimmed. A line break counts as one character, because CRLF becomes LF. */
export const Reason = z
  .string({ error: REQUIRED })
  .transform((value) => value.toWellFormed().replaceAll("\r\n", "\n").trim())
  .refine((value) => value.length <= REASON_MAX_LENGTH, {
    error: `validation:tooLong?maximum=${REASON_MAX_LENGTH}`,
  });

/** A reason that must be given. */
export const NeededReason = Reason.refine((value) => value !== "", { error: REQUIRED });
