import { requireDeveloper } from "../../../middleware/dev-pages.server.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { PreferencesMenu } from "../../preferences/preferences-menu.tsx";
import { CONTROL_STORIES } from "../control-stories.tsx";
import { ELEMENT_STORIES } from "../element-stories.tsx";
import type { Route } from "./+types/dev-ui.ts";

/** Shows a story for each component of `app/ui`. Only where the local inbox is shown. */
export function loader({ context }: Route.LoaderArgs) {
  requireDeveloper(context);
  return null;
}

export default function StyleGuideScreen() {
  return (
    <main className="mx-auto grid max-w-6xl gap-8 p-6">
      <ScreenTitle>Style guide</ScreenTitle>
      <div className="flex items-center justify-between">
        <h1 className="text-xl font-semibold">Style guide</h1>
        <div className="flex">
          <PreferencesMenu />
        </div>
      </div>
      {Object.entries({ ...ELEMENT_STORIES, ...CONTROL_STORIES }).map(([name, Story]) => (
        <article key={name} className="grid grid-cols-1 gap-3">
          <h2 className="font-mono text-sm font-semibold">{name}</h2>
          <div className="flex flex-wrap items-center gap-4">
            <Story />
          </div>
        </article>
      ))}
    </main>
  );
}
