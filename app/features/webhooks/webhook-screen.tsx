import type { ReactNode } from "react";
import { useRefresh } from "../../server-functions/use-refresh.ts";
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
import { Icon } from "../../ui/text/icon.tsx";
import { DetailTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import type { Attempt } from "./attempt.server.ts";
import { BinPanel } from "./bin-panel.tsx";
import type { ShownDeliveries } from "./deliveries.server.ts";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { EventName } from "./event-name.tsx";
import type { EventType } from "./events.ts";
import { ReceiverName } from "./receiver-name.tsx";
import { receiverOf } from "./receiver-url.ts";
import { SamplesPanel } from "./samples-panel.tsx";
import { StateNotices } from "./state-notices.tsx";
import { typedValues, WebhookFields, type WebhookValues } from "./webhook-fields.tsx";
import { WebhookState } from "./webhook-state.tsx";
import type { ShownWebhook } from "./webhooks.server.ts";

/** The screen follows a sender at work for 90 s, which is longer than the cron takes to wake it. */
const MOST_REFRESHES = 45;

export type WebhookScreenProps = ShownDeliveries & {
  webhook: ShownWebhook;
  /** True when newer deliveries are on the page before. */
  isOlder: boolean;
  offered: EventType[];
  /** The chosen type of a sample, and its body. */
  sample: { type: string; body: string };
  /** True for a webhook of the site. */
  isOfSite: boolean;
  /** True on a local site, where a receiver may be on the same machine. */
  isLocal: boolean;
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
  const { secret, theirs } = result ?? {};
  useRefresh(props.isSending, MOST_REFRESHES);
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
      <StateNotices {...props} />
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
      {webhook.isBin && <BinPanel {...props} />}
      <DeliveriesPanel {...props} />
      <SamplesPanel {...props} sent={result?.sample} />
    </div>
  );
}

function WebhookFacts({ webhook, offered, isOfSite, now }: WebhookScreenProps) {
  const { t } = useTranslation("webhooks");
  const { url, isBin, state, types, withIpAddress, maker, createdAt } = webhook;
  return (
    <ShortFacts>
      <Fact term={t("url")}>
        <ReceiverName url={url} isBin={isBin} />
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

function Controls({ webhook: { url, isBin, state } }: { webhook: ShownWebhook }): ReactNode {
  const { t } = useTranslation("webhooks");
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <div className="flex flex-wrap gap-3">
        {state === "active" ? (
          <IntentButton intent="pause-webhook">{t("pause")}</IntentButton>
        ) : (
          <IntentButton intent="resume-webhook">{t("resume")}</IntentButton>
        )}
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
              value={isBin ? t("bin.name") : receiverOf(url)}
            />
          }
        />
      </div>
    </div>
  );
}

/** The drawer with the fields. */
function EditDrawer(props: WebhookScreenProps) {
  const { webhook, offered, isOfSite, isLocal, path, result } = props;
  const { t } = useTranslation("webhooks");
  const isTyped = result?.values.intent === "update-webhook";
  const { theirs, typed, base, field, overwrite } = useVersioned(
    webhook,
    isTyped ? result : undefined,
  );
  const { errors } = result ?? {};
  const listOf = (types: readonly string[]) => types.join(", ");
  const values: WebhookValues = typed
    ? typedValues(typed, offered)
    : {
        url: webhook.isBin ? "" : webhook.url,
        isBin: webhook.isBin,
        events: webhook.types,
        ipAddress: webhook.withIpAddress,
      };
  const receiverIn = (one: { isBin: boolean; url: string }) =>
    one.isBin ? t("bin.name") : one.url;
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
            { label: t("url"), theirs: receiverIn(theirs), yours: receiverIn(values) },
            {
              label: t("events"),
              theirs: listOf(theirs.types),
              yours: listOf(values.events),
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
      <WebhookFields
        offered={offered}
        isOfSite={isOfSite}
        isLocal={isLocal}
        values={values}
        errors={errors}
      />
    </DrawerForm>
  );
}
