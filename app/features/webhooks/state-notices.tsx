import { Notice } from "../../ui/feedback/notice.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import type { ShownDeliveries } from "./deliveries.server.ts";
import { writeDelivery } from "./delivery-key.ts";
import { TypeName } from "./type-name.tsx";
import type { ShownWebhook } from "./webhooks.server.ts";

type StateNoticesProps = Pick<ShownDeliveries, "first" | "isSending"> & {
  webhook: ShownWebhook;
  mayChange: boolean;
};

/** Notices above a webhook: why it is paused, or which event its receiver does not accept. */
export function StateNotices(props: StateNoticesProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const { state, failingSince, dropped, maker, makerLeftAt } = props.webhook;
  return (
    <>
      {state === "failed" && (
        <Notice kind="error" isState action={<SkipFirst {...props} />}>
          {t("failedText")}
        </Notice>
      )}
      {makerLeftAt && (
        <Notice kind="warning">
          {maker ? (
            <WithOwnText text={(name) => t("makerLeft", { name })} value={maker} />
          ) : (
            <p>{t("makerGone")}</p>
          )}
          <p>{t("makerKnowsSecret")}</p>
        </Notice>
      )}
      {state === "paused" && !makerLeftAt && <Notice kind="warning">{t("pausedText")}</Notice>}
      {state === "active" && failingSince && <Failing {...props} />}
      {dropped > 0 && (
        <Notice kind="warning">
          <Formatted>
            {t("dropped", { count: dropped, formatted: format.number(dropped) })}
          </Formatted>
        </Notice>
      )}
    </>
  );
}

/** Stays until the receiver has accepted something, also while the event is tried again. */
function Failing(props: StateNoticesProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const { webhook, first, isSending } = props;
  const { nextTryAt } = webhook;
  return (
    <Notice kind="warning" action={<SkipFirst {...props} />}>
      <p>{t("failing")}</p>
      {first && <TypeName type={first.type} />}
      <Formatted>
        {isSending || !nextTryAt
          ? t("tryingAgain")
          : t("nextAttempt", { time: isolate(format.moment(nextTryAt)) })}
      </Formatted>
    </Notice>
  );
}

/** True when a notice offers to skip the event that the others wait for. */
export function offersSkip({ state, failingSince }: Pick<ShownWebhook, "state" | "failingSince">) {
  return state === "failed" || (state === "active" && failingSince !== null);
}

/** Skips the event that the others wait for. */
function SkipFirst({ first, mayChange }: StateNoticesProps) {
  const { t } = useTranslation("webhooks");
  if (!mayChange || !first) return null;
  return (
    <ConfirmDrawer
      intent="skip-delivery"
      trigger={t("skip")}
      text={t("skipText")}
      confirm={t("skip")}
      needsProof
    >
      <input type="hidden" name="delivery" value={writeDelivery(first)} />
    </ConfirmDrawer>
  );
}
