import { data, type LoaderFunctionArgs, type ServerBuild } from "react-router";
import { isUnavailable } from "../db/bounded-d1.server.ts";
import { postedFormContext } from "../http/posted-form.server.ts";
import { requestContext } from "../http/request-context.ts";
import { describeError, log } from "../runtime/log.ts";

type Routed = Pick<LoaderFunctionArgs, "request" | "context">;

/**
 * Returns the build in which a loader, an action or a middleware throws the status 503 when the
 * database does not answer it. The router would take its error for a bug, and answer 500.
 */
export function withUnavailableDatabase(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).flatMap(([id, route]) => {
    if (!route) return [];
    const { loader, action, middleware } = route.module;
    const module = {
      ...route.module,
      ...(typeof loader === "function" && { loader: answering(loader) }),
      ...(action && { action: answering(action) }),
      ...(middleware && { middleware: middleware.map(answering) }),
    };
    return [[id, { ...route, module }] as const];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function answering<Args extends Routed, Rest extends unknown[], Result>(
  handle: (args: Args, ...rest: Rest) => Result,
) {
  return async (args: Args, ...rest: Rest): Promise<Awaited<Result>> => {
    try {
      return await handle(args, ...rest);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const { request, context } = args;
      log("error", "database.unavailable", {
        request: context.get(requestContext).id,
        path: new URL(request.url).pathname,
        ...describeError(error),
      });
      throw data(
        { isSilent: true, posted: await context.get(postedFormContext)() },
        { status: 503 },
      );
    }
  };
}
