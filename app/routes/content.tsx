import { href, Outlet, useLocation, useNavigation, useOutletContext } from "react-router";
import { screensIn } from "../features/access/navigation.ts";
import type { RelatedList } from "../ui/feedback/error-page.tsx";
import { RouteErrorPage } from "../ui/feedback/route-error-page.tsx";
import { useIsLate } from "../ui/feedback/use-is-late.ts";
import { ScreenFrame } from "../ui/layout/screen-frame.tsx";
import type { Route } from "./+types/content.ts";

/** Short enough to answer a click at once, long enough that a quick screen does not flicker. */
const FRAME_AFTER_MS = 100;

/** Screens of lists, whose outline has a toolbar and rows. */
const LISTS: readonly string[] = [
  href("/manager/users"),
  href("/manager/organizations"),
  href("/manager/audit"),
  href("/manager/mail"),
  ...[...screensIn("app"), ...screensIn("manager")]
    .filter(({ search }) => search)
    .map(({ to }) => to),
];

/** The list that a missing page offers, by the part of the URL. Those of features match every other page of an area. */
const RELATED_LISTS: (RelatedList & { below: string })[] = [
  {
    below: href("/manager/users"),
    path: href("/manager/users"),
    label: "common:errors.searchUsers",
  },
  {
    below: href("/manager/organizations"),
    path: href("/manager/organizations"),
    label: "common:errors.searchOrganizations",
  },
  {
    below: href("/app/organizations"),
    path: href("/app/organizations"),
    label: "common:errors.ownOrganizations",
    icon: "building-2",
  },
  ...(["manager", "app"] as const).flatMap((area) =>
    screensIn(area).flatMap(({ to, search }) =>
      search ? [{ below: href(`/${area}`), path: to, label: search }] : [],
    ),
  ),
];

type Screens = readonly { path: string; label: string }[];

/**
 * Content of a layout. While another screen loads, its outline shows. The screen before it is only hidden: when the
 * navigation fails, nothing that was typed is lost. The error boundary keeps the navigation when a screen fails.
 */
export default function Content() {
  const screens = useOutletContext<Screens>();
  const next = useNextPath();
  const isFrameShown = useIsLate(next !== undefined, FRAME_AFTER_MS);
  return (
    <>
      {next !== undefined && isFrameShown && (
        <ScreenFrame
          title={screens.find(({ path }) => path === next)?.label}
          isList={LISTS.includes(next.replace(/\/$/, ""))}
        />
      )}
      <div className="contents" hidden={isFrameShown}>
        <Outlet />
      </div>
    </>
  );
}

/** Returns the path of the screen that a link opens, while it loads. A form keeps its screen until the answer. */
function useNextPath(): string | undefined {
  const { pathname } = useLocation();
  const { location, formMethod } = useNavigation();
  if (!location || formMethod || location.pathname === pathname) return undefined;
  return location.pathname;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  const list = RELATED_LISTS.find(({ below }) => `${pathname}/`.startsWith(`${below}/`));
  return <RouteErrorPage error={error} isInShell list={list} />;
}
