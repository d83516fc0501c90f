import { Outlet } from "react-router";
import { can } from "../../features/access/permissions.ts";
import { SettingsFrame } from "../../features/site-settings/settings-frame.tsx";
import { listTroubles } from "../../features/system/troubles.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { getSystemStatus, systemStatus } from "../../middleware/system-status.ts";
import type { Route } from "./+types/settings-layout.ts";

export const handle = { i18n: "settings" };

export const middleware: Route.MiddlewareFunction[] = [systemStatus];

export async function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const status = can(user, "system", "read") ? await getSystemStatus(context) : undefined;
  return { hasTroubles: status !== undefined && listTroubles(status).length > 0 };
}

export default function SettingsLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SettingsFrame {...loaderData}>
      <Outlet />
    </SettingsFrame>
  );
}
