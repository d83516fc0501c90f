import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { URL_MAX_LENGTH } from "../../values/limits.ts";
import { DELIVERY_KEY, readDelivery } from "./delivery-key.ts";
import { EVENT_GROUPS } from "./event-groups.ts";
import { EVENT_TYPES } from "./events.ts";
import { SAMPLE_TYPES, TEST_TYPE } from "./samples.ts";

const Checked = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/**
 * Fields of a webhook: the receiver's URL or the built-in bin, the chosen events, IP addresses or
 * not. `groups` are the ticked boxes of groups, `full` those that were drawn ticked (`chosenIn`).
 */
const VALUES = {
  // Empty for the built-in bin. For other receivers their rule refuses an empty URL.
  url: z
    .string()
    .max(URL_MAX_LENGTH, { error: `validation:tooLong?maximum=${URL_MAX_LENGTH}` })
    .default(""),
  bin: Checked,
  events: z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length),
  groups: z.array(z.enum(EVENT_GROUPS)).max(EVENT_GROUPS.length),
  full: z.array(z.enum(EVENT_GROUPS)).max(EVENT_GROUPS.length),
  ipAddress: Checked,
};

export const WebhooksForm = z.object({ intent: z.literal("create-webhook"), ...VALUES });

const Delivery = hidden(z.string().regex(DELIVERY_KEY).transform(readDelivery));

export const WebhookForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("update-webhook"),
    ...VALUES,
    version: hidden(z.coerce.number().int()),
  }),
  z.object({ intent: z.literal("pause-webhook") }),
  z.object({ intent: z.literal("resume-webhook") }),
  z.object({ intent: z.literal("rotate-webhook") }),
  z.object({ intent: z.literal("delete-webhook") }),
  z.object({
    intent: z.literal("sample-webhook"),
    sample: z.enum(SAMPLE_TYPES).default(TEST_TYPE),
  }),
  z.object({ intent: z.literal("repeat-delivery"), delivery: Delivery }),
  z.object({ intent: z.literal("skip-delivery"), delivery: Delivery }),
]);

export type WebhookForm = z.infer<typeof WebhookForm>;

/**
 * Search params of both screens. `before` is the key of the last delivery that was shown, `sample`
 * the type of the sample.
 */
export const WebhookSearch = z.object({
  state: z.enum(["", "new", "edit"]).catch(""),
  before: z.string().regex(DELIVERY_KEY).transform(readDelivery).optional().catch(undefined),
  sample: z.enum(SAMPLE_TYPES).catch(TEST_TYPE),
});
