import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { ChosenIds } from "../../lists/bulk/bulk-change.ts";
import {
  choiceField,
  longText,
  moneyField,
  optionalDayField,
  requiredText,
} from "../../values/record-fields.ts";
import { LONG_TEXT_MAX_LENGTH, STATUS_CHOICES, TEXT_MAX_LENGTH } from "./invoice-limits.ts";

export const InvoiceInput = z.object({
  number: requiredText(TEXT_MAX_LENGTH),
  customer: requiredText(TEXT_MAX_LENGTH),
  amount: moneyField(),
  dueOn: optionalDayField(),
  status: choiceField(STATUS_CHOICES).default("draft"),
  notes: longText(LONG_TEXT_MAX_LENGTH),
});

export type InvoiceInput = z.infer<typeof InvoiceInput>;

/** Holds the version that the form was loaded with, so that a save cannot overwrite changes its author has not seen. */
export const InvoiceUpdate = InvoiceInput.extend({
  version: hidden(z.coerce.number().int()),
});

/** Form data of the list's bulk actions. */
export const InvoicesChange = z.object({ intent: z.enum(["delete", "restore"]), id: ChosenIds });

/** Forms of an invoice's screen. */
export const InvoiceChange = z.object({ intent: z.enum(["delete", "restore"]) });
