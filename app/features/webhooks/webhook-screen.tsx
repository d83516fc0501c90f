import type { ReactNode } from "react";
import { Notice } from "../../ui/feedback/notice.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ConflictNotice } from "../../ui/forms/conflict-notice.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { IntentButton } from "../../ui/forms/intent-button.tsx";
import { NewSecret } from "../../ui/forms/new-secret.tsx";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../ui/overlays/confirm-drawer.tsx";
import { DrawerForm } from "../../ui/overlays/drawer.tsx";
import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import type { Attempt } from "./attempt.server.ts";
import { AttemptResult, DeliveriesPanel } from "./deliveries-panel.tsx";
import type { EventType } from "./events.ts";
import { receiverOf } from "./receiver-url.ts";
import { EventName, WebhookFields, type WebhookValues } from "./webhook-fields.tsx";
import { WebhookState } from "./webhook-state.tsx";
import type { ShownDelivery, ShownWebhook } from "./webhooks.server.ts";

export type WebhookScreenProps = {
  webhook: ShownWebhook;
  deliveries: ShownDelivery[];
  hasMore: boolean;
  /** True when newer deliveries are on the page before. */
  isOlder: boolean;
  offered: EventType[];
  /** True for a webhook of the site. */
  isOfSite: boolean;
  mayChange: boolean;
  isEdited: boolean;
  path: string;
  now: Date;
  /**
   * The answer to a form: its errors, a new secret, what became of a sample, or what another person saved meanwhile.
   */
  result:
    | {
        values: Record<string, string>;
        errors: Record<string, string[]>;
        secret?: string;
        sample?: Attempt;
        theirs?: ShownWebhook;
      }
    | undefined;
};

/** One webhook: its state, what can be done with it, and its deliveries. */
export function WebhookScreen(props: WebhookScreenProps) {
  const { webhook, mayChange, isEdited, path, result } = props;
  const { t } = useTranslation("webhooks");
  const { secret, sample, theirs } = result ?? {};
  return (
    <div className="grid w-full max-w-3xl grid-cols-1 gap-6">
      {(isEdited || theirs) && !secret && <EditDrawer {...props} />}
      {!isEdited && <FormErrors errors={result?.errors[""]} />}
      {secret !== undefined && (
        <NewSecret
          secret={secret}
          to={path}
          title={t("made")}
          label={t("secret")}
          hint={t("rotatedText")}
          copy={t("copy")}
          done={t("done")}
        />
      )}
      <StateNotice {...props} />
      {sample && <SampleNotice sample={sample} />}
      <Panel
        title={t("details")}
        action={
          mayChange && (
            <ButtonLink variant="secondary" isSmall to={`${path}?state=edit`} preventScrollReset>
              <Icon name="pencil" className="size-4" />
              {t("edit")}
            </ButtonLink>
          )
        }
      >
        <WebhookFacts {...props} />
        {mayChange && <Controls webhook={webhook} />}
      </Panel>
      <DeliveriesPanel {...props} />
    </div>
  );
}

function StateNotice({ webhook }: WebhookScreenProps) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const { state, failingSince, nextTryAt, dropped, maker, makerLeftAt } = webhook;
  const isRetrying = state === "active" && failingSince !== null && nextTryAt !== null;
  return (
    <>
      {state === "failed" && (
        <Notice kind="error" isState>
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
      {isRetrying && (
        <Notice kind="warning">
          <Formatted>{t("failing", { time: isolate(format.moment(nextTryAt)) })}</Formatted>
        </Notice>
      )}
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

function SampleNotice({ sample }: { sample: Attempt }) {
  const { t } = useTranslation("webhooks");
  return (
    <Notice kind={sample.isDelivered ? "success" : "error"}>
      <p className="font-medium">{t(sample.isDelivered ? "sampleDelivered" : "sampleFailed")}</p>
      <AttemptResult {...sample} />
      {sample.answer && (
        <pre
          dir="ltr"
          translate="no"
          className="font-mono text-xs wrap-anywhere whitespace-pre-wrap"
        >
          {sample.answer}
        </pre>
      )}
    </Notice>
  );
}

function WebhookFacts({ webhook, offered, isOfSite, now }: WebhookScreenProps) {
  const { t } = useTranslation("webhooks");
  const { url, state, types, withIpAddress, maker, createdAt } = webhook;
  return (
    <ShortFacts>
      <Fact term={t("url")}>
        <bdi dir="ltr" className="wrap-anywhere">
          {url}
        </bdi>
        <WebhookState state={state} />
      </Fact>
      <Fact term={t("receives")}>
        {types.length === offered.length ? (
          t("all")
        ) : (
          <ul className="flex flex-wrap gap-x-3 gap-y-1">
            {types.map((type) => (
              <li key={type}>
                <EventName type={type} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
      {isOfSite && (
        <Fact term={t("ipAddress")}>{t(withIpAddress ? "withIpAddress" : "withoutIpAddress")}</Fact>
      )}
      <Fact term={t("createdAt")}>
        <DetailTime date={createdAt} now={now} />
      </Fact>
      {maker && (
        <Fact term={t("by")}>
          <bdi>{maker}</bdi>
        </Fact>
      )}
    </ShortFacts>
  );
}

function Controls({ webhook: { url, state, makerLeftAt } }: { webhook: ShownWebhook }): ReactNode {
  const { t } = useTranslation("webhooks");
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <div className="flex flex-wrap gap-3">
        {state === "active" ? (
          <IntentButton intent="pause-webhook">{t("pause")}</IntentButton>
        ) : (
          <IntentButton intent="resume-webhook">{t("resume")}</IntentButton>
        )}
        {!makerLeftAt && <IntentButton intent="sample-webhook">{t("sample")}</IntentButton>}
        <ConfirmDrawer
          intent="rotate-webhook"
          needsProof
          trigger={t("rotate")}
          text={t("rotateText")}
        />
        <ConfirmDrawer
          intent="delete-webhook"
          isDestructive
          needsProof
          icon="trash-2"
          trigger={t("delete")}
          text={
            <WithOwnText
              text={(value) => t("deleteText", { name: value })}
              value={receiverOf(url)}
            />
          }
        />
      </div>
      {!makerLeftAt && <p className="text-sm text-muted">{t("sampleHint")}</p>}
    </div>
  );
}

/** The drawer with the fields. */
function EditDrawer({ webhook, offered, isOfSite, path, result }: WebhookScreenProps) {
  const { t } = useTranslation("webhooks");
  const isTyped = result?.values.intent === "update-webhook";
  const { theirs, typed, base, field, overwrite } = useVersioned(
    webhook,
    isTyped ? result : undefined,
  );
  const { errors } = result ?? {};
  const listOf = (types: readonly string[]) => types.join(", ");
  const values: WebhookValues = typed
    ? {
        url: typed.url ?? "",
        events: typed.events?.split(",") ?? [],
        isAll: typed.all === "yes",
        ipAddress: typed.ipAddress === "yes",
      }
    : {
        url: webhook.url,
        events: webhook.types,
        isAll: webhook.types.length === offered.length,
        ipAddress: webhook.withIpAddress,
      };
  return (
    <DrawerForm
      key={base}
      title={t("edit")}
      intent="update-webhook"
      save={overwrite ?? t("save")}
      closeTo={path}
      result={errors && { errors }}
    >
      {theirs && (
        <ConflictNotice
          discardHref={`${path}?state=edit`}
          fields={[
            { label: t("url"), theirs: theirs.url, yours: values.url },
            {
              label: t("events"),
              theirs: listOf(theirs.types),
              yours: listOf(values.isAll ? offered : values.events),
            },
            ...(isOfSite
              ? [
                  {
                    label: t("ipAddress"),
                    theirs: t(theirs.withIpAddress ? "withIpAddress" : "withoutIpAddress"),
                    yours: t(values.ipAddress ? "withIpAddress" : "withoutIpAddress"),
                  },
                ]
              : []),
          ]}
        />
      )}
      {field}
      <WebhookFields offered={offered} isOfSite={isOfSite} values={values} errors={errors} />
    </DrawerForm>
  );
}
