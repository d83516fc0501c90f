import { loadAuditLog } from "../../features/audit/audit-log.server.ts";
import { AuditLog } from "../../features/audit/audit-log.tsx";
import { answerList } from "../../lists/query/list-answer.server.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { UtcNote } from "../../ui/text/clock-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/audit.ts";

export const handle = { i18n: ["logs", "events"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "audit", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, {
    otherwise: { filters: {}, names: { actor: undefined, target: undefined } },
    load: (reader) => loadAuditLog(db, url, reader),
  });
}

export default function AuditScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("logs");
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("audit.title")}</ScreenTitle>
      <ScreenHeader title={t("audit.title")} badges={loaderData.rows.length > 0 && <UtcNote />} />
      <AuditLog {...loaderData} />
    </div>
  );
}
