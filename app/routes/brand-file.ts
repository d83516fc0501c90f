import { answerPicture } from "../features/avatars/picture-store.server.ts";
import { filesOfBrand } from "../features/site-settings/brand/shown-brand.ts";
import { requestContext } from "../http/request-context.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/brand-file.ts";

/** Seconds for which a missing file is cached. The brand may get it at any moment. */
const UNKNOWN_SECONDS = 2;

/** Serves the brand's pictures to everybody; other pictures answer as unknown files do. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { avatars, publicSettings } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const isIn = ({ brand }: Awaited<ReturnType<typeof publicSettings.current>>) =>
    filesOfBrand(brand).includes(params.file);
  const isShown =
    isIn(await publicSettings.current(now)) ||
    isIn(await publicSettings.current(now, UNKNOWN_SECONDS));
  return answerPicture(isShown ? avatars : undefined, "brand", params.file, request);
}
