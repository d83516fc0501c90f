import { useEffect, useRef } from "react";
import { isThemeChoice, THEME_STORAGE_KEY } from "../../ui/forms/theme-choice.ts";
import { useDocument } from "../../ui/layout/document.tsx";
import { postTheme } from "./post-theme.ts";

/** Runs before the first paint. When only localStorage has a theme, it is used. */
export const themeScript = `try{var r=document.documentElement,t=localStorage.getItem("${THEME_STORAGE_KEY}");if(!r.dataset.theme&&(t=="light"||t=="dark"))r.dataset.theme=t}catch{}`;

/** Keeps the theme equal in this page, localStorage, the cookie and other tabs. */
export function ThemeStorage() {
  const { theme, setTheme, settings } = useDocument();
  const lastTheme = useRef(settings.theme);

  // Outside React: localStorage and the cookie.
  useEffect(() => {
    const isFoundInStorage = lastTheme.current !== theme && readStored() === theme;
    // The next page is right without the script then.
    if (isFoundInStorage) void postTheme(theme).catch(() => undefined);
    else if (lastTheme.current !== theme || theme !== "system") store(theme);
    lastTheme.current = theme;
  }, [theme]);

  // Outside React: the theme that the script painted. React learns it only now, because it hydrates with the server's
  // theme.
  useEffect(() => {
    const painted = document.documentElement.dataset.theme;
    if (isThemeChoice(painted)) setTheme(painted);
  }, [setTheme]);

  // Outside React: other tabs.
  useEffect(() => {
    function follow(event: StorageEvent) {
      if (event.key === THEME_STORAGE_KEY && isThemeChoice(event.newValue))
        setTheme(event.newValue);
    }
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [setTheme]);

  return null;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(THEME_STORAGE_KEY);
  } catch {
    return null;
  }
}

function store(theme: string): void {
  try {
    localStorage.setItem(THEME_STORAGE_KEY, theme);
  } catch {
    // Storage is off or full; the cookie is enough.
  }
}
