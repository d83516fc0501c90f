import { z } from "zod";

/** The answer of a person whom an app has signed out. */
export const SignOutForm = z.object({});

/** The answer of a person to an app. Without an organization the app is told of none. */
export const ConnectForm = z.object({
  intent: z.enum(["allow", "refuse"]),
  organization: z.string().max(64).default(""),
});
