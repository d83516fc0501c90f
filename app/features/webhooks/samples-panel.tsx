import { Form, useNavigate } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Attempt } from "./attempt.server.ts";
import { AttemptResult } from "./attempt-result.tsx";
import type { EventType } from "./events.ts";
import { indented, Quoted } from "./quoted.tsx";
import { TEST_TYPE } from "./samples.ts";

type SamplesPanelProps = {
  offered: EventType[];
  /** The chosen type, and the body of its sample. */
  sample: { type: string; body: string };
  mayChange: boolean;
  /** The outcome of the sample that was just sent. */
  sent: Attempt | undefined;
};

/** Shows a sample of each type, and sends the chosen one. */
export function SamplesPanel({ offered, sample, mayChange, sent }: SamplesPanelProps) {
  const { t } = useTranslation("webhooks");
  const navigate = useNavigate();
  return (
    <Panel title={t("samples")} intro={t("sampleHint")}>
      <Form method="post" preventScrollReset className="grid gap-4">
        <Field name="sample" label={t("sampleType")} errors={undefined}>
          {(control) => (
            <Select
              {...control}
              dir="ltr"
              lang="en"
              key={sample.type}
              defaultValue={sample.type}
              className="max-w-sm"
              onChange={({ target }) =>
                void navigate(`?sample=${target.value}`, {
                  replace: true,
                  preventScrollReset: true,
                })
              }
            >
              {[TEST_TYPE, ...offered].map((type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="flex flex-wrap gap-3">
          {/* With scripts the choice shows it. */}
          <Button
            variant="secondary"
            isSmall
            formMethod="get"
            className="[@media(scripting:enabled)]:hidden"
          >
            {t("sampleShow")}
          </Button>
          {mayChange && (
            <Button variant="secondary" isSmall name="intent" value="sample-webhook">
              {t("sample")}
            </Button>
          )}
        </div>
      </Form>
      {/* As high as most answers, so that one does not push what follows. */}
      {mayChange && (
        <div className="grid min-h-18 content-center text-sm">
          {sent ? <SampleNotice sent={sent} /> : <p className="text-muted">{t("sampleNone")}</p>}
        </div>
      )}
      <Quoted title={t("sampleBody")} text={indented(sample.body)} />
    </Panel>
  );
}

function SampleNotice({ sent }: { sent: Attempt }) {
  const { t } = useTranslation("webhooks");
  return (
    <Notice kind={sent.isDelivered ? "success" : "error"}>
      <p className="font-medium">{t(sent.isDelivered ? "sampleDelivered" : "sampleFailed")}</p>
      <AttemptResult {...sent} />
      {sent.answer && (
        <pre
          dir="ltr"
          translate="no"
          className="font-mono text-xs wrap-anywhere whitespace-pre-wrap"
        >
          {sent.answer}
        </pre>
      )}
    </Notice>
  );
}
