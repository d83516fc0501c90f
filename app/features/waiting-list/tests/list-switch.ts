import { saveAccess } from "../../../../tests/support/access-settings.ts";
import type { Browser } from "../../../../tests/support/client.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";

const LIST = "/manager/settings/waiting-list";

/** Saves the mode of sign-up and switches the list on or off, as an admin does. */
export async function offerList(
  gatehouse: Gatehouse,
  admin: Browser,
  settings: Record<string, string>,
  isOn = true,
): Promise<void> {
  await saveAccess(gatehouse, admin, settings);
  const switched = await admin.submit(LIST, { intent: isOn ? "switch-on" : "switch-off" });
  const to = switched.headers.get("location");
  if (to !== LIST) throw new Error(`The waiting list answered ${switched.status} ${to}`);
}
