import { createContext, createCookieSessionStorage, type MiddlewareFunction } from "react-router";
import { createThemeSessionResolver, isTheme } from "remix-themes";
import type { ThemeChoice } from "../ui/forms/theme-choice.ts";

export const THEME_COOKIE = "gatehouse.theme";

export const themeContext = createContext<ThemeChoice>("system");

const storage = createCookieSessionStorage({
  cookie: {
    name: THEME_COOKIE,
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    maxAge: 400 * 86_400,
    // A theme is no secret. The signature only keeps React Router from warning.
    secrets: ["theme"],
  },
});
const resolveTheme = createThemeSessionResolver(storage);

/** Reads the chosen theme; without a choice the page follows the system. */
export const theme: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  context.set(themeContext, await detectTheme(request));
  return next();
};

async function detectTheme(request: Request): Promise<ThemeChoice> {
  const session = await resolveTheme(request);
  return session.getTheme() ?? "system";
}

/**
 * Returns the Set-Cookie value for a choice. remix-themes writes the session that it reads. The system's theme is a
 * session without a theme: without the cookie a device would start in the theme saved in the account again.
 */
export async function themeCookie(choice: ThemeChoice): Promise<string> {
  const session = await resolveTheme(new Request("https://no.cookie"));
  if (isTheme(choice)) session.setTheme(choice);
  return session.commit();
}
