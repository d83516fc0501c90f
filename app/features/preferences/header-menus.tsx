import { LanguageMenu } from "./language-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

/** Theme and language in an area's header. A phone has no room for them: the user's menu leads to the same choices. */
export function HeaderMenus() {
  return (
    <span className="contents max-sm:hidden">
      <ThemeMenu />
      <LanguageMenu />
    </span>
  );
}
