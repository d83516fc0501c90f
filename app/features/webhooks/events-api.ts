import { z } from "zod";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { AUDIT_ACTIONS } from "../audit/actions.ts";
import { EVENT_ACTS } from "./acts.ts";
import { EVENT_TYPES } from "./events.ts";

const MOST_EVENTS = 500;
const DEFAULT_EVENTS = 100;

/** Key of an event: milliseconds since 1970 and its id. */
const CURSOR = /^\d{1,15}\.[\w-]{1,64}$/;

const EventQuery = z.object({
  after: z
    .string()
    .regex(CURSOR)
    .optional()
    .describe("The `cursor` of the last line that was read. Without it, the oldest events."),
  limit: z.coerce.number().int().min(1).max(MOST_EVENTS).default(DEFAULT_EVENTS),
  action: z.enum(AUDIT_ACTIONS).optional().describe("Only events of this action."),
});

const Party = z.object({ id: z.string() }).nullable();

/** A line of the stream. Its first four members are those of a webhook. */
const ApiEvent = z
  .object({
    id: z.string(),
    type: z.enum(EVENT_TYPES).nullable().describe("Null for an event that no webhook tells of."),
    timestamp: z.iso.datetime(),
    data: z.object({
      actor: Party,
      impersonator: Party,
      target: z.object({ type: z.string(), id: z.string() }).nullable(),
      ids: z
        .record(z.string(), z.string())
        .describe(
          "Ids of all objects that the event is about, by kind, such as `team` and `user`.",
        ),
      changes: z.record(
        z.string(),
        z.object({
          before: z.string().nullable().optional(),
          after: z.string().nullable().optional(),
        }),
      ),
      ipAddress: z.string().nullable(),
    }),
    action: z.string().describe("As the audit log names it."),
    userAgent: z.string().nullable(),
    location: z.string().nullable(),
    requestId: z.string().nullable(),
    cursor: z.string().describe("The `after` of the events behind this one."),
  })
  .meta({ id: "Event" });

export type ApiEvent = z.infer<typeof ApiEvent>;

/** The audit log as a stream, for people who may read it. */
export const EVENT_API = {
  listEvents: {
    method: "GET",
    path: "/api/v1/events",
    summary: "Read the audit log as JSON lines, the oldest first, up to a minute ago",
    act: EVENT_ACTS.read,
    query: EventQuery,
    answer: { status: 200, body: ApiEvent, type: "application/x-ndjson" },
    errors: [],
  },
} as const satisfies Record<string, ApiEndpoint>;
