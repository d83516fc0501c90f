import { Form } from "react-router";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyButton } from "../../../ui/forms/copy-button.tsx";
import { Field, TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { Select } from "../../../ui/forms/select.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { aroundValues } from "../../../ui/text/around-values.ts";
import { Formatted } from "../../../ui/text/formatted.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { RelativeTime } from "../../../ui/text/relative-time.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { LINK_DAYS, MAX_LINK_USES } from "../organization-limits.ts";

type ShownLink = {
  id: string;
  url: string;
  maxUses: number;
  uses: number;
  expiresAt: Date;
  inviter: string;
  isOpen: boolean;
};

type LinkPanelProps = {
  links: ShownLink[];
  result: { values: Record<string, string>; errors: Record<string, string[]> } | undefined;
  /** False when people without an account cannot join by a link. */
  opensAccounts: boolean;
  now: Date;
};

/**
 * The links that invite several people as members, such as for a chat, and the form for a new one.
 */
export function LinkPanel({ links, result, opensAccounts, now }: LinkPanelProps) {
  const { t } = useTranslation("organizations");
  const form = useFirstErrorFocus(result);
  const { errors = {}, values = {} } = result ?? {};
  return (
    <Panel title={t("links.title")} intro={t("links.intro")}>
      {!opensAccounts && (
        <Notice kind="warning">
          <p>{t("links.needsAccount")}</p>
        </Notice>
      )}
      {links.length > 0 && (
        <ul className="grid divide-y divide-line">
          {links.map((link) => (
            <LinkRow key={link.id} link={link} now={now} />
          ))}
        </ul>
      )}
      <Form ref={form} method="post" noValidate className="grid gap-4">
        <FormErrors errors={errors[""]} />
        <ProofFirst />
        <div className="flex flex-wrap items-start gap-4">
          <TextField
            name="uses"
            label={t("links.uses")}
            inputMode="numeric"
            dir="ltr"
            autoComplete="off"
            maxLength={3}
            defaultValue={values.uses ?? "10"}
            errors={errors.uses}
            hint={t("links.usesHint", { maximum: MAX_LINK_USES })}
          />
          <Field name="days" label={t("links.days")} errors={errors.days}>
            {(control) => (
              <Select {...control} defaultValue={values.days ?? "7"}>
                {LINK_DAYS.map((days) => (
                  <option key={days} value={days}>
                    {t("links.daysOf", { count: Number(days) })}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <div>
          <Button variant="secondary" name="intent" value="create-link">
            {t("links.create")}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function LinkRow({ link, now }: { link: ShownLink; now: Date }) {
  const { t } = useTranslation("organizations");
  const format = useFormat();
  const { id, url, maxUses, uses, expiresAt, inviter, isOpen } = link;
  const [before, after] = aroundValues((when) => t("invite.expires", { when }));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <div className="grid min-w-0 grow gap-1">
        <bdi dir="ltr" className="truncate font-mono text-xs">
          {url}
        </bdi>
        <p className="text-muted">
          <Formatted>
            {t("links.left", {
              count: maxUses - uses,
              left: format.number(maxUses - uses),
              total: format.number(maxUses),
            })}
          </Formatted>
          {" · "}
          {isOpen ? (
            <>
              {before}
              <RelativeTime date={expiresAt} now={now} />
              {after}
            </>
          ) : (
            t("links.ended")
          )}
          {" · "}
          {t("links.by", { name: isolate(inviter) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isOpen && <CopyButton text={url} label={t("invite.copy")} />}
        <ConfirmDrawer
          intent="revoke-link"
          triggerVariant="quiet"
          text={t("links.revokeText")}
          trigger={t("links.revoke")}
        >
          <input type="hidden" name="link" value={id} />
        </ConfirmDrawer>
      </div>
    </li>
  );
}
