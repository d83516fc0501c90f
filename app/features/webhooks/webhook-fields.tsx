import { CheckField } from "../../ui/forms/check-field.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { URL_MAX_LENGTH } from "../../values/limits.ts";
import { THINGS } from "../access/things.ts";
import { type EventType, nameKeyOf } from "./events.ts";

/** Values of the form as they were stored or typed. */
export type WebhookValues = { url: string; events: string[]; isAll: boolean; ipAddress: boolean };

type WebhookFieldsProps = {
  offered: EventType[];
  values: WebhookValues;
  /** True for the site's own webhooks, which alone can have IP addresses. */
  isOfSite: boolean;
  errors: Record<string, string[]> | undefined;
};

const CORE_GROUPS = ["user", "session", "organization", "member"];

/** Returns the groups of events that are not about things: the core's around those of features. */
function groupsOf(offered: EventType[]): string[] {
  const groups = offered.map((type) => type.slice(0, type.indexOf(".")));
  const ofFeatures = groups.filter((group) => group !== "invitation" && !(group in THINGS));
  return [...new Set([...CORE_GROUPS, ...ofFeatures, "invitation"])];
}

/** The fields of a webhook: where to, which events, and for the site's whether with IP addresses. */
export function WebhookFields({ offered, values, isOfSite, errors }: WebhookFieldsProps) {
  const { t } = useTranslation("webhooks");
  return (
    <>
      <TextField
        type="url"
        name="url"
        label={t("url")}
        hint={t("urlHint")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={URL_MAX_LENGTH}
        defaultValue={values.url}
        errors={errors?.url}
        autoFocus
        required
      />
      <EventsField offered={offered} values={values} errors={errors} />
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

/** A checkbox for all events, which hides the others, and one for each, by the kind of thing. */
function EventsField({ offered, values, errors }: Omit<WebhookFieldsProps, "isOfSite">) {
  const { t } = useTranslation("webhooks");
  const text = useText();
  const [error] = errors?.events ?? [];
  return (
    <fieldset
      className="group/events grid gap-3 text-sm"
      aria-describedby={error ? "events-error" : undefined}
    >
      <legend className="mb-2 font-medium">{t("events")}</legend>
      <CheckField name="all" label={t("all")} defaultChecked={values.isAll} />
      <div className="grid gap-4 group-has-[#field-all:checked]/events:hidden">
        {groupsOf(offered).map((group) => (
          <EventGroup
            key={group}
            // A feature with events brings the text of their group.
            title={t(`groups.${group}` as "groups.member")}
            types={offered.filter((type) => type.startsWith(`${group}.`))}
            chosen={values.events}
          />
        ))}
        {Object.entries(THINGS).map(([kind, thing]) => (
          <EventGroup
            key={kind}
            title={thing ? text(thing.label) : ""}
            types={offered.filter((type) => type.startsWith(`${kind}.`))}
            chosen={values.events}
          />
        ))}
      </div>
      <p id="events-error" role="alert" className="text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}

type EventGroupProps = { title: string; types: EventType[]; chosen: string[] };

function EventGroup({ title, types, chosen }: EventGroupProps) {
  if (types.length === 0) return null;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-muted">{title}</legend>
      {types.map((type) => (
        <div key={type} className="flex items-start gap-3">
          <input
            type="checkbox"
            id={`event-${type}`}
            name="events"
            value={type}
            defaultChecked={chosen.includes(type)}
            className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
          />
          <label htmlFor={`event-${type}`} className="flex min-w-0 flex-wrap gap-x-2">
            <EventName type={type} />
            <code dir="ltr" lang="en" className="text-muted wrap-anywhere">
              {type}
            </code>
          </label>
        </div>
      ))}
    </fieldset>
  );
}

/** A type of events in the reader's words, which are those of the audit log. */
export function EventName({ type }: { type: EventType }) {
  const { t } = useTranslation("events");
  return <span>{t(nameKeyOf(type))}</span>;
}
