import { listProviders } from "../../features/auth/sign-in/providers.ts";
import { readSystemStatus } from "../../features/system/status.server.ts";
import { SystemParts } from "../../features/system/system-parts.tsx";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/system.ts";

export const handle = { i18n: "system" };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "system", "read");
  const services = context.get(servicesContext);
  const providers = listProviders(services.config.social).map(({ name }) => name);
  return readSystemStatus(services, { now: context.get(requestContext).now(), providers });
}

export default function SystemScreen({ loaderData }: Route.ComponentProps) {
  return <SystemParts status={loaderData} />;
}
