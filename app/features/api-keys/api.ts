import { z } from "zod";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { permissionAct } from "../access/proof.ts";

const Me = z
  .object({
    id: z.string(),
    name: z.string().nullable().describe("Null for an app that may not know it."),
    email: z.string().nullable().describe("Null for an app that may not know it."),
    organization: z
      .object({ id: z.string(), slug: z.string(), name: z.string(), role: z.string() })
      .nullable()
      .describe("The only organization that the key works in."),
    permissions: z
      .array(z.string())
      .describe("What the key or app may do now, such as `repository.read`."),
  })
  .meta({ id: "Me" });

export type Me = z.infer<typeof Me>;

/** The call that tells a program who its user is. */
export const ME_API = {
  getMe: {
    method: "GET",
    path: "/api/v1/me",
    summary: "Read for whom the key or app calls, and what it may do",
    act: permissionAct(["apps", "app"]),
    isForAll: true,
    answer: { status: 200, body: Me },
    errors: [],
  },
} as const satisfies Record<string, ApiEndpoint>;
