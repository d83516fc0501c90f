import { z } from "zod";
import { ChosenIds } from "../../lists/bulk/bulk-change.ts";

export const Decision = z.object({ intent: z.enum(["approve", "decline"]), id: ChosenIds });
