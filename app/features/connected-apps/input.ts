import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";

const App = hidden(z.string().min(1).max(200));

/** The form that signs a person out here after an app did so. It has no fields. */
export const SignOutForm = z.object({});

/** The answer of a person to an app. Without an organization the app is told of none. */
export const ConnectForm = z.object({
  intent: z.enum(["allow", "refuse"]),
  organization: z.string().max(64).default(""),
});

/** The answer of a person to a device, which is first looked up by its code. */
export const DeviceForm = z.object({
  intent: z.enum(["look", "allow", "refuse"]),
  userCode: z.string().trim().min(1).max(60),
  organization: z.string().max(64).default(""),
});

/** A person's answer to a call that waits for it. */
export const ApprovalForm = z.object({ intent: z.enum(["approve-call", "refuse-call"]) });

/** A user's form that ends what an app may know. */
export const OwnEndForm = z.object({ intent: z.literal("end-app"), app: App });

/** The same of a manager. */
export const EndForm = z.object({ app: App });
