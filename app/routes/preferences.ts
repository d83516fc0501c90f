import { href, redirect } from "react-router";
import { z } from "zod";
import { keepPreference } from "../features/preferences/preferences.server.ts";
import { parseForm } from "../http/forms.server.ts";
import { languageCookie } from "../http/language-cookie.server.ts";
import { requestContext } from "../http/request-context.ts";
import { localPath } from "../http/safe-redirect.ts";
import { LANGUAGES, type Language } from "../i18n/languages.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { themeCookie } from "../middleware/theme.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { THEME_CHOICES, type ThemeChoice } from "../ui/forms/theme-choice.ts";
import type { Route } from "./+types/preferences.ts";

const back = z.unknown().transform(localPath).optional();
const Preference = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("language"), value: z.enum(LANGUAGES), back }),
  z.object({ intent: z.literal("theme"), value: z.enum(THEME_CHOICES), back }),
]);

export function loader() {
  return redirect(href("/"));
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request, Preference);
  if (!form.ok) return redirect(href("/"));
  const { intent, value } = form.value;
  const cookie = await (intent === "language"
    ? languageCookie.serialize(value)
    : themeCookie(value));
  await keep(context, intent, value);
  return redirect(form.value.back ?? href("/"), { status: 303, headers: { "Set-Cookie": cookie } });
}

/** Saves a choice in the account of a signed-in user. If the database fails, the choice still holds in this browser. */
async function keep(
  context: Route.ActionArgs["context"],
  kind: "language" | "theme",
  value: Language | ThemeChoice,
): Promise<void> {
  try {
    const { db, config } = context.get(servicesContext);
    // Visitors of a demonstration share its accounts.
    if (config.isDemo) return;
    const current = await findCurrentSession(context);
    if (!current || current.session.impersonatedBy) return;
    await keepPreference(db, context.get(requestContext), current.user, kind, value);
  } catch (error) {
    log("warn", "preference.not_kept", {
      request: context.get(requestContext).id,
      ...describeError(error),
    });
  }
}
