import { href, redirect } from "react-router";
import { i18nFor } from "../../../i18n/i18n.server.ts";
import { textOf } from "../../../i18n/message-reference.ts";
import { answerExport } from "../../../lists/query/export-answer.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { languageContext } from "../../../middleware/locale.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { exportWrongLines, findImportHeader } from "../import-page.server.ts";
import { IMPORT_FIELDS } from "../limits.ts";
import type { Route } from "./+types/users-import-wrong.ts";

/** Streams the wrong lines of the manager's open import, to be mended: the reason, then the columns of the file. */
export async function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "user", "create", { isProofLater: true });
  const { db } = context.get(servicesContext);
  const open = await findImportHeader(db, user.id);
  if (!open) throw redirect(href("/manager/users/import"));
  const { t } = i18nFor(context.get(languageContext));
  const columns = open.header ?? IMPORT_FIELDS.map((field) => t(`import:fields.${field}`));
  // The keys of the reasons are known only at run time.
  const translate = t as (key: string, values: object) => string;
  async function* rows() {
    for await (const lines of exportWrongLines(db, open?.id ?? "")) {
      yield lines.map(({ line, reason, cells }) => [
        line,
        textOf(reason ?? "", translate),
        ...cells,
      ]);
    }
  }
  const header = [t("import:line"), t("import:reasonField"), ...columns];
  return answerExport(context, "wrong-lines", { header, rows: rows() });
}
