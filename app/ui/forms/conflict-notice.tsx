import "./conflict-notice.css";
import { ScreenTitle } from "../layout/document.tsx";
import { useTranslation } from "../text/translation.tsx";
import { ButtonLink } from "./button.tsx";
import { splitDifference } from "./split-difference.ts";

type ConflictNoticeProps = {
  /** Both values of each field, with its label; equal ones are not shown. */
  fields: { label: string; theirs: string; yours: string | undefined }[];
  discardHref: string;
};

/** Says that another person changed the same record and shows their values. The user's own values stay in the form. */
export function ConflictNotice({ fields, discardHref }: ConflictNoticeProps) {
  const { t } = useTranslation();
  return (
    <section
      role="alert"
      className="grid gap-4 rounded-md border border-warning-line bg-warning-fill p-4 text-sm"
    >
      <ScreenTitle>{t("conflict.title")}</ScreenTitle>
      <div className="grid gap-1">
        <h2 className="text-base font-semibold">{t("conflict.title")}</h2>
        <p>{t("conflict.text")}</p>
      </div>
      <dl className="grid gap-2">
        {fields.filter(isDifferent).map(({ label, theirs, yours }) => (
          <div key={label} className="grid gap-1">
            <dt className="text-muted" suppressHydrationWarning>
              {label}
            </dt>
            <dd className="whitespace-pre-line">
              <bdi>{theirs ? <Marked text={theirs} other={yours ?? ""} /> : "—"}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <ButtonLink variant="secondary" to={discardHref} className="justify-self-start">
        {t("conflict.discard")}
      </ButtonLink>
    </section>
  );
}

/** Browsers send CRLF line ends; stored text has LF. */
function isDifferent({ theirs, yours = "" }: ConflictNoticeProps["fields"][number]): boolean {
  return theirs.trim() !== yours.replaceAll("\r\n", "\n").trim();
}

/** A text in which the words from the first to the last difference are marked. */
function Marked({ text, other }: { text: string; other: string }) {
  const { same, changed, rest } = splitDifference(text, other);
  return (
    <>
      {same}
      {changed && <mark className="conflict-mark">{changed}</mark>}
      {rest}
    </>
  );
}
