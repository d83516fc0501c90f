import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../../../ui/forms/button.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { Badge } from "../../../ui/text/badge.tsx";
import { Dotted } from "../../../ui/text/dotted.tsx";
import { EmailText } from "../../../ui/text/email-text.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { isolate, isolateLtr } from "../../../ui/text/isolate.ts";
import { RecentDay } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { METHODS_ID, nameOfProvider, type Provider } from "../sign-in/providers.ts";
import { ProviderMark } from "./provider-mark.tsx";

type LinkedAccount = {
  id: string;
  providerId: string;
  /** Null for an account that was linked before its e-mail was kept. */
  email: string | null;
  createdAt: Date;
};

type LinkedAccountsPanelProps = {
  email: string;
  /** The configured providers, linked or not. */
  providers: Provider[];
  accounts: LinkedAccount[];
  now: Date;
};

/** The sign-in methods: the code by e-mail, which cannot be removed, and provider accounts to link and unlink. */
export function LinkedAccountsPanel(props: LinkedAccountsPanelProps) {
  const { email, providers, accounts, now } = props;
  const { t } = useTranslation("account");
  const linking = useNavigation().formData?.get("provider");
  const unlinked = providers.filter(({ id }) => !accounts.some((one) => one.providerId === id));
  return (
    <div id={METHODS_ID} className="grid min-w-0 scroll-mt-16">
      <Panel title={t("linked.title")} intro={providers.length > 0 && t("linked.intro")}>
        <ul className="grid divide-y divide-line">
          <Way
            mark={<Icon name="mail" className="size-5" />}
            name={t("linked.email")}
            beside={<Badge tone="border-line bg-sunken">{t("linked.always")}</Badge>}
            detail={<EmailText>{email}</EmailText>}
          />
          {accounts.map((account) => (
            <LinkedWay key={account.id} {...account} providers={providers} now={now} />
          ))}
          {unlinked.map(({ id, name }) => (
            <Way
              key={id}
              mark={<ProviderMark id={id} className="size-5" />}
              name={<bdi>{name}</bdi>}
              detail={t("linked.none")}
            >
              <Form method="post">
                <input type="hidden" name="intent" value="link" />
                <Button
                  variant="secondary"
                  isSmall
                  name="provider"
                  value={id}
                  isBusy={linking === id}
                >
                  <Named verb={t("linked.link")} name={name} />
                </Button>
              </Form>
            </Way>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

type LinkedWayProps = LinkedAccount & Pick<LinkedAccountsPanelProps, "providers" | "now">;

/** A linked account: its provider, its e-mail and when it was linked. */
function LinkedWay({ id, providerId, email, createdAt, providers, now }: LinkedWayProps) {
  const { t } = useTranslation("account");
  const name = nameOfProvider(providerId, providers);
  const isOffered = providers.some((provider) => provider.id === providerId);
  return (
    <Way
      mark={<ProviderMark id={providerId} className="size-5" />}
      name={<bdi>{name}</bdi>}
      beside={!isOffered && <Badge tone="border-line bg-sunken">{t("linked.retired")}</Badge>}
      detail={
        <Dotted>
          {email && <EmailText>{email}</EmailText>}
          <span>
            {t("linked.since")} <RecentDay date={createdAt} now={now} />
          </span>
        </Dotted>
      }
    >
      <ConfirmDrawer
        intent="unlink"
        triggerClassName="text-danger"
        text={
          email
            ? t("linked.unlinkTextEmail", { provider: isolate(name), email: isolateLtr(email) })
            : t("linked.unlinkText", { provider: isolate(name) })
        }
        trigger={<Named verb={t("linked.unlink")} name={email ? `${name} ${email}` : name} />}
      >
        <input type="hidden" name="account" value={id} />
      </ConfirmDrawer>
    </Way>
  );
}

type WayProps = {
  mark: ReactNode;
  name: ReactNode;
  /** A state, after the name. */
  beside?: ReactNode;
  detail: ReactNode;
  children?: ReactNode;
};

function Way({ mark, name, beside, detail, children }: WayProps) {
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <span className="grid size-5 shrink-0 place-items-center text-muted">{mark}</span>
      <div className="grid min-w-0 flex-1 gap-1 wrap-anywhere">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          {beside}
        </span>
        <span className="text-muted">{detail}</span>
      </div>
      {children}
    </li>
  );
}

/** The row shows which account it is; screen readers need it in the button's name. */
function Named({ verb, name }: { verb: string; name: string }) {
  return (
    <span>
      {verb}
      <span className="sr-only"> {name}</span>
    </span>
  );
}
