import { CheckField } from "../../ui/forms/check-field.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { ProofFirst } from "../../ui/forms/proof.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { URL_MAX_LENGTH } from "../../values/limits.ts";
import { chosenIn } from "./event-groups.ts";
import type { EventType } from "./events.ts";
import { EventsField } from "./events-field.tsx";

/** Values of the form as they were stored or typed. */
export type WebhookValues = {
  url: string;
  isBin: boolean;
  events: readonly string[];
  ipAddress: boolean;
};

/** Returns the values of a form that was refused. */
export function typedValues(typed: Record<string, string>, offered: EventType[]): WebhookValues {
  const listOf = (field: string) => typed[field]?.split(",") ?? [];
  return {
    url: typed.url ?? "",
    isBin: typed.bin === "yes",
    events: chosenIn(offered, {
      events: listOf("events"),
      groups: listOf("groups"),
      full: listOf("full"),
    }),
    ipAddress: typed.ipAddress === "yes",
  };
}

type WebhookFieldsProps = {
  offered: EventType[];
  values: WebhookValues;
  /** True for the site's own webhooks, which alone can have IP addresses. */
  isOfSite: boolean;
  /** True on a local site, where a receiver may be on the same machine. */
  isLocal: boolean;
  errors: Record<string, string[]> | undefined;
};

/** The fields of a webhook: where to, which events, and for the site's whether with IP addresses. */
export function WebhookFields(props: WebhookFieldsProps) {
  const { offered, values, isOfSite, isLocal, errors } = props;
  const { t } = useTranslation("webhooks");
  return (
    <>
      <ProofFirst />
      <div className="group/to grid gap-4">
        {/* Its room stays, so that nothing moves under the pointer. */}
        <div className="group-has-[#field-bin:checked]/to:invisible">
          <TextField
            type="url"
            name="url"
            label={t("url")}
            hint={t(isLocal ? "urlHintLocal" : "urlHint")}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            maxLength={URL_MAX_LENGTH}
            defaultValue={values.url}
            errors={errors?.url}
            autoFocus={!values.isBin}
            required
          />
        </div>
        <CheckField
          name="bin"
          label={t("toBin")}
          hint={t("toBinHint")}
          errors={errors?.bin}
          defaultChecked={values.isBin}
        />
      </div>
      <EventsField offered={offered} chosen={values.events} errors={errors?.events} />
      {isOfSite && (
        <CheckField
          name="ipAddress"
          label={t("ipAddress")}
          hint={t("ipAddressHint")}
          defaultChecked={values.ipAddress}
        />
      )}
    </>
  );
}
