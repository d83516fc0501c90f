import { Form, href, Link } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
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
  /** True when `ADMIN_EMAILS` names someone, who can always sign in with a code. */
  hasListedAdmins: boolean;
  graceDays: number;
};

/** The rule "a passkey is required for managers": what it means, whether it holds, and its switch. */
export function PasskeyRule(props: PasskeyRuleProps) {
  const { since, graceEndsAt, hasPasskey, hasListedAdmins, graceDays } = props;
  const { t } = useTranslation("settings");
  const format = useFormat();
  const can = useCan();
  const mayChange = can("settings", "update");
  const isShut = !since && !hasPasskey;
  return (
    <Panel
      isBeside
      title={t("passkeys.title")}
      intro={`${t("passkeys.intro", { count: graceDays })} ${t("passkeys.later")}`}
    >
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
      {mayChange && (
        <div className="grid gap-3">
          <Form method="post">
            <Button
              variant="secondary"
              name="intent"
              value={since ? "optional" : "required"}
              disabled={isShut}
              aria-describedby={isShut ? "passkey-first" : undefined}
            >
              {t(since ? "passkeys.switchOff" : "passkeys.switchOn")}
            </Button>
          </Form>
          {isShut && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
              <p id="passkey-first" className="text-muted">
                {t("passkeys.ownFirst")}
              </p>
              <ButtonLink
                isSmall
                variant="secondary"
                to={`${href("/manager/account")}?state=add-passkey`}
              >
                {t("passkeys.add")}
              </ButtonLink>
            </div>
          )}
        </div>
      )}
      {hasListedAdmins ? (
        <p className="text-sm text-muted">{t("passkeys.recovery")}</p>
      ) : (
        <Notice kind="warning" isState>
          {t("passkeys.noRecovery")}
          {can("system", "read") && (
            <Link
              to={href("/manager/settings/system")}
              className="justify-self-start font-medium underline underline-offset-4"
            >
              {t("passkeys.nameAdmin")}
            </Link>
          )}
        </Notice>
      )}
    </Panel>
  );
}
