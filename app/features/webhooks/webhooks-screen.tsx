import type { ReactNode } from "react";
import { Link } from "react-router";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { NewSecret } from "../../ui/forms/new-secret.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { DrawerForm } from "../../ui/overlays/drawer.tsx";
import { Dotted } from "../../ui/text/dotted.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { RecentDay } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import type { EventType } from "./events.ts";
import { ReceiverName } from "./receiver-name.tsx";
import { typedValues, WebhookFields } from "./webhook-fields.tsx";
import { WebhookState } from "./webhook-state.tsx";
import type { ShownWebhook } from "./webhooks.server.ts";

export type WebhooksScreenProps = {
  webhooks: ShownWebhook[];
  offered: EventType[];
  /** True when there is no room for another webhook. */
  isFull: boolean;
  /** True while the URL asks for a new webhook. */
  isNew: boolean;
  mayChange: boolean;
  /** True where the webhooks are the site's own. */
  isOfSite: boolean;
  /** True on a local site, where a receiver may be on the same machine. */
  isLocal: boolean;
  /** True when the screen's header has the link to a new webhook. */
  isLinkAbove?: boolean;
  path: string;
  now: Date;
  /** After a webhook was made: its `id` and its `secret`. */
  result:
    | {
        values: Record<string, string>;
        errors: Record<string, string[]>;
        secret?: string;
        id?: string;
      }
    | undefined;
};

/**
 * The webhooks of the site or of an organization. The secret of a new one is shown once, in the answer that made it.
 */
export function WebhooksScreen(props: WebhooksScreenProps) {
  const { webhooks, isFull, isNew, mayChange, isOfSite, isLinkAbove, path, result, now } = props;
  const { t } = useTranslation("webhooks");
  const secret = result?.secret;
  const mayMake = mayChange && !isFull;
  return (
    <div className="grid w-full max-w-3xl grid-cols-1 gap-6">
      {isNew && secret === undefined && <NewDrawer {...props} />}
      <p className="text-sm text-muted">{t(isOfSite ? "intro" : "introShared")}</p>
      {!isNew && <FormErrors errors={result?.errors[""]} />}
      {secret !== undefined && (
        <NewSecret
          secret={secret}
          to={`${path}/${result?.id}`}
          title={t("made")}
          label={t("secret")}
          hint={t("madeText")}
          copy={t("copy")}
          done={t("done")}
        />
      )}
      {isFull && mayChange && <p className="text-sm text-muted">{t("full")}</p>}
      {webhooks.length === 0 ? (
        <EmptyState title={t("empty")} text={t("emptyText")}>
          {mayMake && <NewWebhookLink path={path} />}
        </EmptyState>
      ) : (
        <Panel
          title={t("title")}
          action={mayMake && !isLinkAbove && <NewWebhookLink path={path} />}
        >
          <ul className="grid divide-y divide-line">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} {...props} webhook={webhook} now={now} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

export function NewWebhookLink({ path }: { path: string }) {
  const { t } = useTranslation("webhooks");
  return (
    <ButtonLink isSmall to={`${path}?state=new`} preventScrollReset>
      <Icon name="plus" className="size-4" />
      {t("new")}
    </ButtonLink>
  );
}

function WebhookRow({ webhook, path, now }: WebhooksScreenProps & { webhook: ShownWebhook }) {
  const { t } = useTranslation("webhooks");
  const { id, url, isBin, state, maker, createdAt } = webhook;
  return (
    <li className="flex flex-wrap items-start gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon name="webhook" className="size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 grow basis-40 gap-1 wrap-anywhere">
        <Link to={`${path}/${id}`} className="font-medium underline-offset-4 hover:underline">
          <ReceiverName url={url} isBin={isBin} />
        </Link>
        <span className="text-muted">
          <Dotted>
            <EventCount webhook={webhook} />
            <span>
              {t("createdAt")} <RecentDay date={createdAt} now={now} />
            </span>
            {maker && <WithOwnText text={(name) => t("managedBy", { name })} value={maker} />}
          </Dotted>
        </span>
      </div>
      <WebhookState state={state} />
    </li>
  );
}

function EventCount({ webhook: { types } }: { webhook: ShownWebhook }) {
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const count = types.length;
  return <Formatted>{t("chosenCount", { count, formatted: format.number(count) })}</Formatted>;
}

function NewDrawer({ offered, isOfSite, isLocal, path, result }: WebhooksScreenProps): ReactNode {
  const { t } = useTranslation("webhooks");
  const typed = result?.values;
  return (
    <DrawerForm
      title={t("new")}
      intent="create-webhook"
      save={t("create")}
      closeTo={path}
      result={result}
    >
      <WebhookFields
        offered={offered}
        isOfSite={isOfSite}
        isLocal={isLocal}
        values={typedValues(typed ?? {}, offered)}
        errors={result?.errors}
      />
    </DrawerForm>
  );
}
