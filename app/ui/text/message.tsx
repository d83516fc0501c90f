import { Component, type ReactNode, Suspense } from "react";
import type { MessageKey } from "../../i18n/message-key.ts";
import { readReference, textOf } from "../../i18n/message-reference.ts";
import { useTranslation } from "./translation.tsx";

/**
 * Reference to a translation: `namespace:key`, with its values as a query string,
 * `validation:tooLong?maximum=100`. Forms, toasts and error answers carry references, so that the
 * text is in the reader's language wherever it is drawn.
 */
export type MessageReference = string;

/** Reference that the compiler has checked: a text of this key exists. What comes from a form or a cookie is not. */
export type CheckedMessage = MessageKey | MessageWithValues;

declare const withValues: unique symbol;
type MessageWithValues = string & { [withValues]: true };

/** Makes a reference with values. */
export function messageReference(
  key: MessageKey,
  values: Record<string, string | number>,
): MessageWithValues {
  const entries = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return `${key}?${new URLSearchParams(entries)}` as MessageWithValues;
}

/**
 * Draws a referenced text. Its translations are fetched on first use; until then nothing is drawn. If they cannot be
 * fetched, a text that came with the page is drawn instead, so that a message never breaks a screen with typed text.
 */
export function Message({ value }: { value: MessageReference }) {
  const { t } = useTranslation();
  return (
    <Fallback key={value} text={t("errors.failed")}>
      <Suspense>
        <ReferencedText value={value} />
      </Suspense>
    </Fallback>
  );
}

class Fallback extends Component<{ text: string; children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.text : this.props.children;
  }
}

function ReferencedText({ value }: { value: MessageReference }) {
  const { namespace } = readReference(value);
  // The key is known only at run time. A test proves that every reference in the product has a translation.
  const t = useTranslation(namespace as "common").t as (key: string, values: object) => string;
  return <>{textOf(value, t)}</>;
}
