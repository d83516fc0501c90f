import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { CodeBlock } from "../../ui/text/code-block.tsx";
import { Fact, ShortFacts } from "../../ui/text/fact.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { RecentMoment } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ShownApproval } from "./approvals.server.ts";
import { useScopeText } from "./scope-text.ts";

type ApprovalScreenProps = {
  approval: ShownApproval;
  breadcrumb: ReactNode;
  errors: string[] | undefined;
  now: Date;
};

/** What an app wants to do in the user's name, and the user's answer. */
export function ApprovalScreen({ approval, breadcrumb, errors, now }: ApprovalScreenProps) {
  const { t } = useTranslation("connected-apps");
  const textOf = useScopeText();
  const isBusy = useNavigation().formMethod === "POST";
  const { app, scope, title, method, path, body, askedAt, expiresAt } = approval;
  return (
    <SingleColumn>
      <ScreenTitle>{t("approval.title")}</ScreenTitle>
      <ScreenHeader title={t("approval.title")} breadcrumb={breadcrumb} />
      <FormErrors errors={errors} />
      <Panel title={t("approval.asks", { app: isolate(app) })}>
        <ShortFacts>
          <Fact term={t("approval.act")}>{textOf(scope)}</Fact>
          {title !== null && (
            <Fact term={t("approval.about")}>
              <bdi className="wrap-anywhere">{title}</bdi>
            </Fact>
          )}
          <Fact term={t("approval.asked")}>
            <RecentMoment date={new Date(askedAt)} now={now} />
          </Fact>
          <Fact term={t("approval.until")}>
            <RecentMoment date={new Date(expiresAt)} now={now} />
          </Fact>
        </ShortFacts>
        <div className="grid gap-2 text-sm">
          <span className="text-muted">{t("approval.call")}</span>
          <CodeBlock text={body === null ? `${method} ${path}` : `${method} ${path}\n\n${body}`} />
        </div>
        <p className="text-sm text-muted">{t("approval.text")}</p>
        <Form method="post" className="flex flex-wrap gap-3">
          <ProofFirst />
          <Button name="intent" value="approve-call" isBusy={isBusy}>
            {t("approval.approve")}
          </Button>
          <Button name="intent" value="refuse-call" variant="secondary">
            {t("approval.refuse")}
          </Button>
        </Form>
      </Panel>
    </SingleColumn>
  );
}
