import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useTranslation } from "../../ui/text/translation.tsx";
import { toolClass } from "./tool-text.tsx";

type ExportLinkProps = { path: string; children: ReactNode };

/** Link to the list's rows as a file, with the list's filters and order. */
export function ExportLink({ path, children }: ExportLinkProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  return (
    <a href={path + search} download aria-label={t("list.export")} className={toolClass}>
      {children}
    </a>
  );
}
