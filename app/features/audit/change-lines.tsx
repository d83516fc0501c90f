import { isLanguage } from "../../i18n/languages.ts";
import { languageOfNameField } from "../../i18n/name-fields.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { Labelled } from "../../ui/text/labelled.tsx";
import { useLanguage, useTranslation } from "../../ui/text/translation.tsx";
import { useDayFormat, useFormat } from "../../ui/text/use-format.ts";
import { type Change, type ChangeValue, writeValue } from "./changes.ts";

/** Characters of a value: with all changes, and in a list. */
const WHOLE_LENGTH = 160;
const LIST_LENGTH = 40;

type ChangeLinesProps = {
  /** The event's action, such as "member.role_changed". */
  action: string;
  changes: Change[];
  /** True: shows all changes, each on its lines. False: a few lines, with shorter values. */
  isWhole?: boolean;
};

/** Shows what an event changed, field by field: old value, then new value. */
export function ChangeLines({ action, changes, isWhole }: ChangeLinesProps) {
  const { t } = useTranslation("logs");
  const sentenceOf = useSentences();
  if (changes.length === 0) return null;
  const length = isWhole ? WHOLE_LENGTH : LIST_LENGTH;
  return (
    // Relative, so that it also cuts the words for screen readers.
    <ul
      className={`relative text-xs text-muted ${isWhole ? "wrap-anywhere" : "min-w-0 wrap-anywhere @max-[820px]:line-clamp-4 @min-[820px]:truncate [&>li]:inline [&>li+li]:ms-3"}`}
    >
      {changes.map((change) => {
        const { field, before, after } = change;
        const sentence = sentenceOf(change);
        return sentence ? (
          <li key={field} suppressHydrationWarning>
            <Labelled label={<FieldLabel field={field} />}>{sentence}</Labelled>
          </li>
        ) : (
          <li key={field}>
            <Labelled label={<FieldLabel field={field} />}>
              {before !== undefined && (
                <Value field={wordsOf(field, action)} value={before} length={length} />
              )}
              {before !== undefined && after !== undefined && (
                <>
                  <Icon name="arrow-right" className="mx-1 inline size-3 align-middle" />
                  <span className="sr-only">{t("audit.became")}</span>
                </>
              )}
              {after !== undefined && (
                <Value field={wordsOf(field, action)} value={after} length={length} isNew />
              )}
            </Labelled>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * Returns a function that writes a change of language as a sentence. Two codes and an arrow say too
 * little.
 */
function useSentences(): (change: Change) => string | undefined {
  const { t } = useTranslation("logs");
  const format = useFormat();
  return ({ field, before, after }) => {
    if (field !== "language" || typeof after !== "string" || !isLanguage(after)) return undefined;
    const to = format.language(after);
    if (typeof before !== "string" || !isLanguage(before)) return to;
    return t("audit.languageChange", { before: format.language(before), after: to });
  };
}

function FieldLabel({ field }: { field: string }) {
  const { t, i18n } = useTranslation("logs");
  const format = useFormat();
  const language = languageOfNameField(field);
  if (language) {
    return (
      <span suppressHydrationWarning>
        {t("audit.fields.nameIn", { language: format.language(language) })}
      </span>
    );
  }
  // A field that an earlier or later release wrote may have no label here.
  if (!i18n.exists(`logs:audit.fields.${field}`)) return <bdi>{field}</bdi>;
  return t(`audit.fields.${field as "name"}`);
}

/**
 * Returns the field whose words name the values. A language may call an organization's admin
 * differently from the site's.
 */
function wordsOf(field: string, action: string): string {
  return field === "role" && !action.startsWith("user.") ? "memberRole" : field;
}

type ValueProps = { field: string; value: ChangeValue; length: number; isNew?: boolean };

function Value({ field, value, length, isNew = false }: ValueProps) {
  const { t, i18n } = useTranslation("logs");
  const moments = useFormat();
  const days = useDayFormat();
  const language = useLanguage();
  // Arabic has no italics.
  if (value === null) return <i className="rtl:not-italic">{t("audit.empty")}</i>;
  const words = typeof value === "string" ? wordsIn(value) : undefined;

  /** Values of a few fields, such as roles, are words in the reader's language. A user may have several roles. */
  function wordsIn(text: string): string[] | undefined {
    const values = field === "role" ? text.split(",") : [text];
    const hasWords = values.every((one) => i18n.exists(`logs:audit.values.${field}.${one}`));
    return hasWords
      ? values.map((one) => t(`audit.values.${field as "role"}.${one as "user"}`))
      : undefined;
  }

  return (
    <bdi className={isNew ? "text-ink" : ""} suppressHydrationWarning>
      {words ? moments.list(words) : writeValue(value, { language, moments, days, length })}
    </bdi>
  );
}
