import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { URL_MAX_LENGTH } from "../../values/limits.ts";
import { DELIVERY_KEY, readDelivery } from "./delivery-key.ts";
import { EVENT_TYPES } from "./events.ts";

const Checked = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/**
 * Fields of a webhook: the receiver's URL, the chosen events (`all`: every event that is offered),
 * IP addresses or not.
 */
const VALUES = {
  url: z
    .string({ error: "webhooks:urlInvalid" })
    .max(URL_MAX_LENGTH, { error: `validation:tooLong?maximum=${URL_MAX_LENGTH}` }),
  events: z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length),
  all: Checked,
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
  z.object({ intent: z.literal("sample-webhook") }),
  z.object({ intent: z.literal("repeat-delivery"), delivery: Delivery }),
  z.object({ intent: z.literal("skip-delivery"), delivery: Delivery }),
]);

export type WebhookForm = z.infer<typeof WebhookForm>;

/** Search params of both screens. `before` is the key of the last delivery that was shown. */
export const WebhookSearch = z.object({
  state: z.enum(["", "new", "edit"]).catch(""),
  before: z.string().regex(DELIVERY_KEY).transform(readDelivery).optional().catch(undefined),
});
