import { answerPicture } from "../features/avatars/picture-store.server.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/brand-file.ts";

/** Serves the brand's logo to everybody; other pictures answer as unknown files do. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { avatars, publicSettings } = context.get(servicesContext);
  const { logo } = (await publicSettings.current(context.get(requestContext).now())).brand;
  const isShown = logo !== undefined && [logo.light, logo.dark].includes(params.file);
  return answerPicture(isShown ? avatars : undefined, "brand", params.file, request);
}
