import type { Browser } from "./client.ts";
import type { Gatehouse } from "./worker.ts";

const ACCESS = "/manager/settings/access";

/** Field that agrees to all consequences of a save. */
export const AGREED = "invitations admitted links terms termsAndYou";

/** Saves the access screen as an admin; what is not given is not set. */
export async function saveAccess(
  { d1 }: Gatehouse,
  admin: Browser,
  settings: Record<string, string> = {},
): Promise<void> {
  const version = await d1.prepare("SELECT version FROM site_setting").first<number>("version");
  const form = { agreed: AGREED, ...settings, version: String(version) };
  const saved = await admin.submit(ACCESS, form);
  const to = saved.headers.get("location");
  if (to !== ACCESS) throw new Error(`The access screen answered ${saved.status} ${to}`);
}
