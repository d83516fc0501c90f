import { z } from "zod";
import { hidden } from "../../http/form-fields.ts";
import { OwnName } from "../../values/person-name.ts";
import { API_KEY_DAYS } from "./api-key.ts";

const Key = hidden(z.string().max(64));

/** Forms of the screen with a user's or an organization's API keys. `offered` are the scopes that can be chosen. */
export function apiKeyForm(offered: readonly string[]) {
  const Scope = z.string().refine((scope) => offered.includes(scope), {
    error: "validation:form.incomplete",
  });
  return z.discriminatedUnion("intent", [
    z.object({
      intent: z.literal("create-key"),
      name: OwnName,
      scope: z
        .array(Scope)
        .min(1, { error: "api-keys:scopeRequired" })
        .max(50)
        .transform((scopes) => [...new Set(scopes)]),
      days: z.enum(API_KEY_DAYS.map(String)).transform(Number),
    }),
    z.object({ intent: z.literal("rotate-key"), key: Key }),
    z.object({ intent: z.literal("revoke-key"), key: Key }),
  ]);
}

export type ApiKeyForm = z.infer<ReturnType<typeof apiKeyForm>>;

export const KeysSearch = z.object({ state: z.enum(["", "new"]).catch("") });

/** A manager's form that ends a user's key. */
export const RevokeForm = z.object({ key: Key });
