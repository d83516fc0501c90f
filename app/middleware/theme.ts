import { createContext, createCookieSessionStorage, type MiddlewareFunction } from "react-router";
import { createThemeSessionResolver } from "remix-themes";
import type { ThemeChoice } from "../ui/theme.ts";

export const THEME_COOKIE = "gatehouse.theme";

export const themeContext = createContext<ThemeChoice>("system");

const storage = createCookieSessionStorage({
  cookie: {
    name: THEME_COOKIE,
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    maxAge: 400 * 86_400,
    // A colour is no secret; the signature only keeps React Router from warning.
    secrets: ["theme"],
  },
});
const resolveTheme = createThemeSessionResolver(storage);

/** Finds the chosen theme; without a choice the page follows the system. */
export const theme: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  context.set(themeContext, await detectTheme(request));
  return next();
};

/** The theme that a request's cookie chose. */
export async function detectTheme(request: Request): Promise<ThemeChoice> {
  const session = await resolveTheme(request);
  return session.getTheme() ?? "system";
}

/** The Set-Cookie value that remembers a choice: "system" too, or the device would start in the person's theme again. */
export async function themeCookie(choice: ThemeChoice): Promise<string> {
  const session = await storage.getSession();
  session.set("theme", choice);
  return storage.commitSession(session);
}
