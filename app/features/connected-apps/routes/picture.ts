import { z } from "zod";
import { parseSearch } from "../../../http/search-params.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { answerPicture } from "../../avatars/picture-store.server.ts";
import { isPictureKey } from "../picture-url.server.ts";
import type { Route } from "./+types/picture.ts";

const Search = z.object({ key: z.string().max(100).catch("").default("") });

/** Serves a user's picture to apps that were told its URL, without a session. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { avatars, keys } = context.get(servicesContext);
  const isTold = await isPictureKey(keys, params.id, parseSearch(url, Search).key);
  const answer = await answerPicture(isTold ? avatars : undefined, "avatar", params.id, request);
  // The app's own pages show it.
  answer.headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  return answer;
}
