import { Component, type ReactNode, Suspense } from "react";
import { useTranslation } from "./translation.tsx";

/**
 * A sentence by reference: `namespace:key`, and its values behind a question mark as in an address,
 * `validation:link.short?min=4`. Forms, toasts and error answers carry references, so that their text is in the
 * reader's language wherever it is drawn.
 */
export type MessageReference = string;

/** Makes a reference with values. */
export function messageReference(
  key: string,
  values: Record<string, string | number> = {},
): MessageReference {
  const entries = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return entries.length > 0 ? `${key}?${new URLSearchParams(entries)}` : key;
}

/**
 * Its sentences are fetched when they are first needed; until then nothing is drawn in its place. When they cannot be
 * had, a sentence that came with the page stands in: a screen with what was typed is not given up for a message.
 */
export function Message({ value }: { value: MessageReference }) {
  const { t } = useTranslation();
  return (
    <StandIn key={value} sentence={t("errors.failed")}>
      <Suspense>
        <Sentence value={value} />
      </Suspense>
    </StandIn>
  );
}

class StandIn extends Component<{ sentence: string; children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.sentence : this.props.children;
  }
}

function Sentence({ value }: { value: MessageReference }) {
  const { key, namespace, values } = readReference(value);
  // Which sentence it is only shows at run time; a test proves that every reference in the product has one.
  const t = useTranslation(namespace as "common").t as (key: string, values: object) => string;
  const types = Object.fromEntries(
    ["expected", "received"]
      .filter((name) => key === "generic.invalidType" && name in values)
      .map((name) => [name, t(`types.${values[name]}`, {})]),
  );
  return <>{t(key, { ...values, ...types })}</>;
}

function readReference(value: MessageReference) {
  const [path = "", search = ""] = value.split("?", 2);
  const colon = path.indexOf(":");
  const values: Record<string, string | number> = Object.fromEntries(new URLSearchParams(search));
  // Plural forms are chosen by a number, not by its digits.
  if (values.count !== undefined) values.count = Number(values.count);
  return { namespace: path.slice(0, colon), key: path.slice(colon + 1), values };
}
