import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { proveFirst } from "../../http/unproved.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { toolClass } from "./tool-text.tsx";

type ExportLinkProps = { path: string; children: ReactNode };

/** Link to the list's rows as a file, with the list's filters and order. */
export function ExportLink({ path, children }: ExportLinkProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  return (
    // Not `download`: a proof may be asked for first, on a page.
    <a
      href={path + search}
      aria-label={t("list.export")}
      className={toolClass}
      onClick={(event) => {
        event.preventDefault();
        proveFirst(() => location.assign(path + search));
      }}
    >
      {children}
    </a>
  );
}
