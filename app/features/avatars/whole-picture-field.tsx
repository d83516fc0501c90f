import { type ReactNode, useEffect, useRef, useState } from "react";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import type { MessageReference } from "../../ui/text/message.tsx";
import { ShownPicture } from "../../ui/text/shown-picture.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { setFiles } from "./field-files.ts";
import { type FittedFile, fitPicture, type WholePicture } from "./fit-picture.ts";
import type { PictureRefusal } from "./picture-size.ts";

const WITH_SCRIPTS = "[@media(scripting:none)]:hidden";
const WITHOUT_SCRIPTS = "[@media(scripting:enabled)]:hidden";

/** Requirements for a file that no script prepares. */
const READY_HINTS = { logo: "readyHint", wide: "readyHintWide" } as const;

type WholePictureFieldProps = {
  name: string;
  label: string;
  hint: string;
  /** A further note on the saved picture. */
  note: ReactNode;
  /** What is wrong with the look of the shown picture. */
  warning: ReactNode;
  purpose: WholePicture;
  /** Path of the picture that is saved. */
  saved: string | null;
  /** The picture that was made from a chosen file, which is not saved yet. */
  chosen: File | undefined;
  onChoose: (fitted: FittedFile | undefined) => void;
  isRemoved: boolean;
  onRemove: (isRemoved: boolean) => void;
  /** Background on which the picture is shown. */
  background?: string;
  errors: MessageReference[] | undefined;
};

/**
 * Form field for a picture that is shown whole. The browser prepares the chosen file at once and
 * puts it into the field; without JavaScript the file is sent as it is.
 */
export function WholePictureField(props: WholePictureFieldProps) {
  const { name, label, hint, note, purpose, saved, chosen, onChoose, isRemoved, onRemove } = props;
  const { background, errors, warning } = props;
  const { t } = useTranslation("pictures");
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<PictureRefusal>();
  /** The server's errors about a file that was replaced since. */
  const [settled, setSettled] = useState<MessageReference[]>();
  const shown = chosen ?? (isRemoved ? undefined : (saved ?? undefined));

  // Outside React: the files of a field. It is empty again when the form is drawn anew.
  useEffect(() => {
    if (chosen && input.current) setFiles(input.current, [chosen]);
  }, [chosen]);

  async function take(file: File | undefined) {
    setSettled(errors);
    if (!file) return drop();
    const fitted = await fitPicture(file, purpose);
    setRefusal(fitted.ok ? undefined : fitted.error);
    if (fitted.ok) onChoose(fitted);
    else if (input.current) setFiles(input.current, chosen ? [chosen] : []);
  }

  function drop() {
    if (input.current) setFiles(input.current, []);
    setRefusal(undefined);
    onChoose(undefined);
  }

  return (
    <div className="grid gap-3">
      <Field
        name={name}
        label={label}
        hint={
          <>
            {hint} <span className={WITH_SCRIPTS}>{t("hint")}</span>
            <span className={WITHOUT_SCRIPTS}>{t(READY_HINTS[purpose])}</span>
            {note && saved && !chosen && <span className="block">{note}</span>}
          </>
        }
        errors={refusal ? [`pictures:${refusal}`] : errors === settled ? undefined : errors}
      >
        {(control) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the field inside
          <div
            className="flex flex-wrap items-center gap-3 rounded-md outline-accent-ink has-focus-visible:outline-2"
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              void take(event.dataTransfer.files[0]);
            }}
          >
            {shown && (
              <span className="rounded-md border border-line p-2" style={{ background }}>
                <ShownPicture source={shown} className="max-h-14 max-w-44" />
              </span>
            )}
            <label htmlFor={control.id} className={buttonClass("secondary", WITH_SCRIPTS)}>
              <Icon name="image-up" className="size-4" />
              {t(shown ? "chooseOther" : "choose")}
            </label>
            <input
              ref={input}
              type="file"
              accept="image/jpeg,image/png,image/webp"
              // The browser writes this button's text in its own language. With JavaScript only the
              // label is visible.
              className="w-full text-sm [@media(scripting:enabled)]:sr-only"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
              {...control}
            />
            {chosen && (
              <button type="button" className={buttonClass("quiet")} onClick={drop}>
                {t("dropChosen")}
              </button>
            )}
          </div>
        )}
      </Field>
      <p role="status" className="text-sm text-warning empty:hidden">
        {warning}
      </p>
      {saved && !chosen && (
        <label className="flex min-h-control w-fit items-center gap-3 text-sm">
          <input
            type="checkbox"
            name={`${name}Removed`}
            value="yes"
            checked={isRemoved}
            onChange={(event) => onRemove(event.currentTarget.checked)}
            className="size-5 shrink-0"
          />
          {t("removeAtSave")}
        </label>
      )}
    </div>
  );
}
