import { loadAuditLog } from "../../features/audit/audit-log.server.ts";
import { AuditLog } from "../../features/audit/audit-log.tsx";
import { requestContext } from "../../http/request-context.ts";
import { describeDevice } from "../../http/user-agent.server.ts";
import { requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/audit.ts";

export const handle = { i18n: ["logs", "events"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "apps", "manager");
  const { db } = context.get(servicesContext);
  const log = await loadAuditLog(db, url, describeDevice);
  return { ...log, now: context.get(requestContext).now() };
}

export default function AuditScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("logs");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("audit.title")}</ScreenTitle>
      <h1 className="text-xl font-semibold">{t("audit.title")}</h1>
      <AuditLog {...loaderData} />
    </div>
  );
}
