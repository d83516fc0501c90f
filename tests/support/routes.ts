import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ASSETS = resolve(import.meta.dirname, "../../build/client/assets");

/** A route as the build's manifest describes it. */
type BuiltRoute = {
  id: string;
  parentId?: string;
  path?: string;
  hasDefaultExport: boolean;
  hasAction: boolean;
};

/**
 * A URL of the product: its pattern, the ids of its route modules from the outermost to the leaf, whether it is a
 * screen, and whether it takes forms.
 */
export type ProductUrl = {
  pattern: string;
  routeIds: string[];
  isScreen: boolean;
  takesForms: boolean;
};

/** Returns every URL of the built product, read from the manifest it sends to browsers. */
export function listUrls(): ProductUrl[] {
  const routes = readManifest();
  const parents = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes)
    .filter(({ id }) => !parents.has(id))
    .map((leaf) => {
      const branch = branchOf(leaf, routes);
      const path = branch.map((route) => (route.path ? `/${route.path}` : "")).join("");
      return {
        pattern: path || "/",
        routeIds: branch.map(({ id }) => id),
        isScreen: leaf.hasDefaultExport,
        takesForms: leaf.hasAction,
      };
    });
}

function branchOf(route: BuiltRoute, routes: Record<string, BuiltRoute>): BuiltRoute[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return parent ? [...branchOf(parent, routes), route] : [];
}

function readManifest(): Record<string, BuiltRoute> {
  const file = readdirSync(ASSETS).find((name) => /^manifest-[\da-f]{8}\.js$/.test(name));
  if (!file) throw new Error("The build has no manifest of routes");
  const script = readFileSync(join(ASSETS, file), "utf8");
  return JSON.parse(script.slice(script.indexOf("{"), script.lastIndexOf("}") + 1)).routes;
}
