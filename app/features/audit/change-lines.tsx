import { languageOfNameField } from "../../i18n/name-fields.ts";
import { Icon } from "../../ui/text/icon.tsx";
import { Labelled } from "../../ui/text/labelled.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { type Change, shorten } from "./changes.ts";

/** A date as JSON writes it. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

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
  if (changes.length === 0) return null;
  const length = isWhole ? WHOLE_LENGTH : LIST_LENGTH;
  return (
    // Relative, so that it also cuts the words for screen readers.
    <ul
      className={`relative text-xs text-muted ${isWhole ? "wrap-anywhere" : "line-clamp-4 wrap-anywhere [&>li]:inline [&>li+li]:ms-3"}`}
    >
      {changes.map(({ field, before, after }) => {
        return (
          <li key={field}>
            <Labelled label={<FieldLabel field={field} />}>
              {before !== undefined && (
                <Value field={wordsOf(field, action)} text={before} length={length} />
              )}
              {before !== undefined && after !== undefined && (
                <>
                  <Icon name="arrow-right" className="mx-1 inline size-3 align-middle" />
                  <span className="sr-only">{t("audit.became")}</span>
                </>
              )}
              {after !== undefined && (
                <Value field={wordsOf(field, action)} text={after} length={length} isNew />
              )}
            </Labelled>
          </li>
        );
      })}
    </ul>
  );
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

type ValueProps = { field: string; text: string | null; length: number; isNew?: boolean };

function Value({ field, text, length, isNew = false }: ValueProps) {
  const { t, i18n } = useTranslation("logs");
  const format = useFormat();
  // Arabic has no italics.
  if (text === null) return <i className="rtl:not-italic">{t("audit.empty")}</i>;
  // Values of a few fields, such as roles, are words in the reader's language. A user may have several roles.
  const values = field === "role" ? text.split(",") : [text];
  const hasWords = values.every((value) => i18n.exists(`logs:audit.values.${field}.${value}`));
  const words = hasWords
    ? values.map((value) => t(`audit.values.${field as "role"}.${value as "user"}`))
    : undefined;
  return (
    <bdi className={isNew ? "text-ink" : ""} suppressHydrationWarning>
      {words && format.list(words)}
      {!words && (MOMENT.test(text) ? format.moment(new Date(text)) : shorten(text, length))}
    </bdi>
  );
}
