import { useTranslation } from "../../ui/text/translation.tsx";

/** The URL of a receiver, or the name of the built-in bin. */
export function ReceiverName({ url, isBin }: { url: string; isBin: boolean }) {
  const { t } = useTranslation("webhooks");
  if (isBin) return <span>{t("bin.name")}</span>;
  return (
    <bdi dir="ltr" className="wrap-anywhere">
      {url}
    </bdi>
  );
}
