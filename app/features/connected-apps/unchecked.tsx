import { Notice } from "../../ui/feedback/notice.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";

/** Says that nobody here has checked an app that registered itself. `host`: where its document is. */
export function Unchecked({ host }: { host: string | undefined }) {
  const { t } = useTranslation("connected-apps");
  return (
    <Notice kind="warning" isState>
      <p className="font-medium">{t("unchecked.title")}</p>
      <p>{t("unchecked.text")}</p>
      {host !== undefined && (
        <p className="wrap-anywhere">
          <WithOwnText text={(value) => t("unchecked.document", { host: value })} value={host} />
        </p>
      )}
    </Notice>
  );
}
