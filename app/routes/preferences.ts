import { href, redirect } from "react-router";
import { z } from "zod";
import { takeChange } from "../features/access/change-limit.server.ts";
import { keepPreference } from "../features/preferences/preferences.server.ts";
import { parseForm } from "../http/forms.server.ts";
import { languageCookie } from "../http/language-cookie.server.ts";
import { requestContext } from "../http/request-context.ts";
import { localPath } from "../http/safe-redirect.ts";
import { redirectWithToast } from "../http/toast.ts";
import { LANGUAGES, type Language } from "../i18n/languages.ts";
import { findCurrentSession } from "../middleware/session.ts";
import { themeCookie } from "../middleware/theme.ts";
import { describeError, log } from "../runtime/log.ts";
import { servicesContext } from "../runtime/services-context.ts";
import { THEME_CHOICES, type ThemeChoice } from "../ui/forms/theme-choice.ts";
import type { Route } from "./+types/preferences.ts";

const backTo = z.unknown().transform(localPath).optional();
const Preference = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("language"), value: z.enum(LANGUAGES), back: backTo }),
  z.object({ intent: z.literal("theme"), value: z.enum(THEME_CHOICES), back: backTo }),
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
  const back = form.value.back ?? href("/");
  if ((await keep(context, intent, value)) === "too many") {
    return redirectWithToast(back, { kind: "error", message: "codes:TOO_MANY_REQUESTS" });
  }
  return redirect(back, { status: 303, headers: { "Set-Cookie": cookie } });
}

/**
 * Saves a choice in the account of a signed-in user, unless they make too many. If the database fails, the choice still
 * holds in this browser.
 */
async function keep(
  context: Route.ActionArgs["context"],
  kind: "language" | "theme",
  value: Language | ThemeChoice,
): Promise<"too many" | undefined> {
  try {
    const { db, config } = context.get(servicesContext);
    // Visitors of a demonstration share its accounts.
    if (config.isDemo) return undefined;
    const current = await findCurrentSession(context);
    if (!current || current.session.impersonatedBy || current.user[kind] === value) {
      return undefined;
    }
    const source = context.get(requestContext);
    if (await takeChange(db, current.user.id, source.now(), "ownChanges")) return "too many";
    await keepPreference(db, source, current.user, kind, value);
  } catch (error) {
    log("warn", "preference.not_kept", {
      request: context.get(requestContext).id,
      ...describeError(error),
    });
  }
  return undefined;
}
