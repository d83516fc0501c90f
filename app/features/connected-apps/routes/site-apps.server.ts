import { href, type RouterContextProvider } from "react-router";
import type { FormResult } from "../../../http/forms.server.ts";
import { requireAct } from "../../../middleware/current-user.ts";
import { APP_ACTS } from "../acts.ts";
import type { AppChange } from "./apps.server.ts";

/** Returns the change that a manager makes with a form. */
export function siteChange(
  context: Readonly<RouterContextProvider>,
  result: FormResult,
): AppChange {
  return {
    context,
    owner: "site",
    actorFor: async (command) => requireAct(context, APP_ACTS[command]),
    list: href("/manager/settings/apps"),
    pathOf: (id) => href("/manager/settings/apps/:id", { id }),
    result,
  };
}
