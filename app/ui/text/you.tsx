import { useTranslation } from "./translation.tsx";

/** Marks the signed-in user among others. */
export function You() {
  const { t } = useTranslation();
  return <span className="shrink-0 font-normal text-muted">{t("you")}</span>;
}
