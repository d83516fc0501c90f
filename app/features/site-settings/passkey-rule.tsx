import { Form, href, Link } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { useCan } from "../access/use-can.tsx";

type PasskeyRuleProps = {
  /** Since when managers need a passkey; null when they do not. */
  since: Date | null;
  /** Until when those without one still come in. */
  graceEndsAt: Date | null;
  /** True when the reader has a passkey. Only then they may switch the rule on. */
  hasPasskey: boolean;
  graceDays: number;
};

/** The rule "a passkey is required for managers": what it means, whether it holds, and its switch. */
export function PasskeyRule({ since, graceEndsAt, hasPasskey, graceDays }: PasskeyRuleProps) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const can = useCan();
  const mayChange = can("settings", "update");
  return (
    <Panel
      isBeside
      title={t("passkeys.title")}
      intro={`${t("passkeys.intro", { count: graceDays })} ${t("passkeys.later")}`}
    >
      <p className="text-sm text-muted">{t("passkeys.recovery")}</p>
      <p className="text-sm font-medium" suppressHydrationWarning>
        {since && graceEndsAt ? (
          <Formatted>
            {t("passkeys.on", {
              since: format.longMoment(since),
              graceEnd: format.longMoment(graceEndsAt),
            })}
          </Formatted>
        ) : (
          t("passkeys.off")
        )}
      </p>
      {mayChange && !since && !hasPasskey && (
        <Notice kind="warning">
          {t("passkeys.ownFirst")}{" "}
          <Link
            to={`${href("/manager/account")}?state=add-passkey`}
            className="font-medium underline underline-offset-4"
          >
            {t("passkeys.add")}
          </Link>
        </Notice>
      )}
      {mayChange && (since || hasPasskey) && (
        <Form method="post">
          <Button variant="secondary" name="intent" value={since ? "optional" : "required"}>
            {t(since ? "passkeys.switchOff" : "passkeys.switchOn")}
          </Button>
        </Form>
      )}
    </Panel>
  );
}
