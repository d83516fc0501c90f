import { Outlet } from "react-router";
import { RouteErrorPage } from "../ui/error-page.tsx";
import type { Route } from "./+types/content.ts";

/** The inside of a shell: what goes wrong in a screen is shown in its place, and the navigation stays. */
export default function Content() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <RouteErrorPage error={error} isInShell />;
}
