import { z } from "zod";

export const Id = z.string().min(1).max(64);
/** An empty id counts as absent, as in the plugin. */
export const optionalId = z.string().max(64).optional();

/** The input of a call within an organization. */
export const InOrganization = z.object({ organizationId: optionalId });
