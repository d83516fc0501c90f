import { href, Link } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";

/** Says from when on the back-office needs a passkey, to a manager who has none. */
export function PasskeyNotice({ endsAt }: { endsAt: Date }) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  return (
    <div className="mb-4">
      <Notice kind="warning">
        <span suppressHydrationWarning>
          <Formatted>{t("passkey.soon", { date: format.longMoment(endsAt) })}</Formatted>
        </span>{" "}
        <Link
          to={`${href("/manager/account")}?state=add-passkey`}
          className="font-medium underline underline-offset-4"
        >
          {t("passkey.add")}
        </Link>
      </Notice>
    </div>
  );
}
