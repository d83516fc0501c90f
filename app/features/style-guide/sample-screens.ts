import { useTranslation } from "../../ui/text/translation.tsx";

/** Screens for a navigation that is shown as a specimen. */
export function useSampleScreens() {
  const { t } = useTranslation("dev");
  return [
    { path: "/dev/ui", icon: "house", label: t("ui.title") },
    { path: "/dev/mails", icon: "mail", label: t("mails.title") },
  ] as const;
}
