import { href, redirect } from "react-router";
import { z } from "zod";
import { parseForm } from "../http/forms.server.ts";
import { localPath } from "../http/safe-redirect.ts";
import { LANGUAGES } from "../i18n/languages.ts";
import { languageCookie } from "../middleware/locale.ts";
import { themeCookie } from "../middleware/theme.ts";
import { THEME_CHOICES } from "../ui/theme.ts";
import type { Route } from "./+types/preferences.ts";

const back = z.unknown().transform(localPath).optional();
const Preference = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("language"), value: z.enum(LANGUAGES), back }),
  z.object({ intent: z.literal("theme"), value: z.enum(THEME_CHOICES), back }),
]);

export function loader() {
  return redirect(href("/"));
}

export async function action({ request }: Route.ActionArgs) {
  const form = await parseForm(request, Preference);
  if (!form.ok) return redirect(href("/"));
  const { intent, value } = form.value;
  const cookie = intent === "language" ? languageCookie(value) : await themeCookie(request, value);
  return redirect(form.value.back ?? href("/"), { status: 303, headers: { "Set-Cookie": cookie } });
}
