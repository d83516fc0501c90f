import { href, Outlet, useLocation } from "react-router";
import { RouteErrorPage } from "../ui/error-page.tsx";
import type { Route } from "./+types/content.ts";

/** Content of a layout. Its error boundary keeps the navigation when a screen fails. */
export default function Content() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isManager = useLocation().pathname.startsWith(href("/manager"));
  const searchPath = href(isManager ? "/manager/repositories" : "/app/repositories");
  return <RouteErrorPage error={error} isInShell searchPath={searchPath} />;
}
