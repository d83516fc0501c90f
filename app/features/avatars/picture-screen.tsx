import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button, ButtonLink, buttonClass } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { panelClass } from "../../ui/layout/panel.tsx";
import { BreadcrumbTo, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { Message, type MessageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { type Crop, FILLED, fitted } from "./crop.ts";
import { canReadBack, setFiles } from "./field-files.ts";
import { PictureCrop } from "./picture-crop.tsx";
import { encodeCrop, readPicture } from "./picture-file.ts";
import type { PictureRefusal } from "./picture-size.ts";
import { NAMESPACES, type PictureTexts, pictureMessage } from "./picture-texts.ts";

type PictureScreenProps = {
  kind: PictureTexts;
  /** The picture as it is, or what stands for it. */
  current: ReactNode;
  hasPicture: boolean;
  /** Where it is shown, for a logo of something else than an organization. */
  intro?: string;
  /** What else is to be said of it. */
  note?: string | false;
  above: { to: string; name: string };
  isAvailable: boolean;
  closed?: MessageReference;
  result: { errors: Record<string, string[]> } | undefined;
};

type Chosen = { picture: ImageBitmap; crop: Crop };

/** Changes or removes the picture of a user, or the logo of an organization. */
export function PictureScreen(props: PictureScreenProps) {
  const { kind, current, hasPicture, intro, note, above, isAvailable, closed, result } = props;
  const { t } = useTranslation(NAMESPACES[kind]);
  const isOpen = isAvailable && !closed;
  return (
    <SingleColumn isNarrow>
      <ScreenHeader
        title={t(`${kind}.title`)}
        breadcrumb={<BreadcrumbTo to={above.to}>{above.name}</BreadcrumbTo>}
      />
      <section aria-label={t(`${kind}.title`)} className={`grid gap-6 ${panelClass}`}>
        {/* Out of the way while the next picture is cropped. */}
        <div className="flex items-center gap-4 [&:has(+form_canvas)]:hidden">
          {current}
          <div className="grid gap-3">
            <p className="text-sm text-muted">
              {intro ?? t(`${kind}.intro`)} {hasPicture ? note : t(`${kind}.initials`)}
            </p>
            {isOpen && hasPicture && (
              <Form method="post">
                <Button variant="secondary" name="intent" value="remove">
                  <Icon name="trash-2" className="size-4" />
                  {t(`${kind}.remove`)}
                </Button>
              </Form>
            )}
          </div>
        </div>
        {isOpen ? (
          <PictureForm
            kind={kind}
            hasPicture={hasPicture}
            cancelTo={above.to}
            errors={result?.errors.picture}
          />
        ) : (
          <Notice kind="info">
            {closed ? <Message value={closed} /> : t(`${kind}.unavailable`)}
          </Notice>
        )}
      </section>
    </SingleColumn>
  );
}

type PictureFormProps = {
  kind: PictureTexts;
  hasPicture: boolean;
  cancelTo: string;
  errors: string[] | undefined;
};

const WITH_SCRIPTS = "[@media(scripting:none)]:hidden";
const WITHOUT_SCRIPTS = "[@media(scripting:enabled)]:hidden";

/** Takes a file and prepares it in the browser. Without JavaScript the file must already be in the final format. */
function PictureForm({ kind, hasPicture, cancelTo, errors }: PictureFormProps) {
  const { t } = useTranslation(NAMESPACES[kind]);
  const common = useTranslation().t;
  const isBusy = useNavigation().formData?.get("intent") === "save";
  const { input, chosen, refusal, choose, setCrop, save } = usePicture(kind);
  /** The server's errors about a file that was replaced since. */
  const [settled, setSettled] = useState<string[]>();

  return (
    <Form
      method="post"
      encType="multipart/form-data"
      noValidate
      className="grid scroll-mb-24 gap-6"
      onSubmit={save}
    >
      <input type="hidden" name="intent" value="save" />
      {chosen && (
        <PictureCrop kind={kind} picture={chosen.picture} crop={chosen.crop} onChange={setCrop} />
      )}
      <div
        className={
          chosen ? "grid justify-items-center gap-6" : "grid justify-items-end gap-4 *:first:w-full"
        }
      >
        <PictureField
          kind={kind}
          input={input}
          hasPicture={hasPicture}
          isChosen={chosen !== undefined}
          errors={
            refusal ? [pictureMessage(kind, refusal)] : errors === settled ? undefined : errors
          }
          onChoose={(file) => {
            setSettled(errors);
            choose(file);
          }}
        />
        <div
          className={`flex justify-end gap-3 max-sm:*:grow ${chosen ? "w-full border-t border-line pt-4" : `ms-auto max-sm:w-full ${WITHOUT_SCRIPTS}`}`}
        >
          {chosen && (
            <ButtonLink variant="secondary" to={cancelTo}>
              {common("actions.cancel")}
            </ButtonLink>
          )}
          {/* Without JavaScript the file itself is sent, otherwise the picture made from it. */}
          <Button isBusy={isBusy}>{t(`${kind}.save`)}</Button>
        </div>
      </div>
    </Form>
  );
}

/** The chosen picture and its crop, which `save` encodes and posts. */
function usePicture(kind: PictureTexts) {
  const submit = useSubmit();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const [refusal, setRefusal] = useState<PictureRefusal>();

  const take = useCallback(
    async (file: File | undefined) => {
      if (!file) return;
      const read = await readPicture(file);
      setRefusal(read.ok ? undefined : read.error);
      if (!read.ok) return setChosen(undefined);
      const { picture } = read;
      setChosen({ picture, crop: kind === "picture" ? FILLED : fitted(picture) });
    },
    [kind],
  );

  // Outside React: a file that was chosen before hydration.
  useEffect(() => {
    void take(input.current?.files?.[0]);
  }, [take]);

  function setCrop(crop: Crop) {
    if (chosen) setChosen({ picture: chosen.picture, crop });
  }

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    if (!chosen) return setRefusal("missing");
    const picture = await encodeCrop(kind, chosen.picture, chosen.crop);
    if (!picture) return setRefusal("notMade");
    setRefusal(undefined);
    const form = new FormData();
    form.set("intent", "save");
    form.set("picture", picture);
    if (!(await canReadBack(form))) return sendAsDocument(element, input.current, picture);
    await submit(form, { method: "post", encType: "multipart/form-data" });
  }

  return {
    input,
    chosen,
    refusal,
    choose: (file: File | undefined) => void take(file),
    setCrop,
    save,
  };
}

/** Sends the form as without JavaScript, with the prepared picture instead of the chosen file. */
function sendAsDocument(form: HTMLFormElement, field: HTMLInputElement | null, picture: File) {
  if (!field) return;
  setFiles(field, [picture]);
  form.submit();
}

type PictureFieldProps = {
  kind: PictureTexts;
  input: RefObject<HTMLInputElement | null>;
  hasPicture: boolean;
  isChosen: boolean;
  errors: string[] | undefined;
  onChoose: (file: File | undefined) => void;
};

/** Field for a file, which may also be dropped on it. */
function PictureField(props: PictureFieldProps) {
  const { kind, input, hasPicture, isChosen, errors, onChoose } = props;
  const { t } = useTranslation(NAMESPACES[kind]);
  const pictures = useTranslation("pictures").t;
  const label = t(`${kind}.${isChosen || hasPicture ? "chooseOther" : "choose"}`);
  const border = errors ? "border-danger" : "border-line-strong";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the field inside
    <div
      className={`rounded-md outline-accent-ink has-focus-visible:outline-2 ${isChosen ? "max-sm:w-full" : `border border-dashed bg-sunken px-6 py-10 text-center text-balance hover:bg-fill ${border}`}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onChoose(event.dataTransfer.files[0]);
      }}
    >
      <Field
        name="picture"
        label={
          <>
            <span
              className={buttonClass(
                "secondary",
                `${WITH_SCRIPTS} ${isChosen ? "max-sm:w-full" : ""}`,
              )}
            >
              <Icon name="image-up" className="size-4" />
              {label}
            </span>
            <span className={WITHOUT_SCRIPTS}>{label}</span>
          </>
        }
        hint={
          !isChosen && (
            <>
              <span className={WITH_SCRIPTS}>
                {pictures("hint")}
                {/* A finger cannot drop a file. */}
                <span className="block pointer-coarse:hidden">{pictures("dropHint")}</span>
              </span>
              <span className={WITHOUT_SCRIPTS}>{pictures("readyHint")}</span>
            </>
          )
        }
        errors={errors}
      >
        {(control) => (
          <input
            ref={input}
            type="file"
            // Without HEIC in this list an iPhone turns its pictures into JPEG.
            accept="image/jpeg,image/png,image/webp"
            required
            // The browser writes this button's text in its own language. With JavaScript only the label is visible.
            className="w-full text-sm [@media(scripting:enabled)]:sr-only"
            onChange={(event) => onChoose(event.currentTarget.files?.[0])}
            {...control}
          />
        )}
      </Field>
    </div>
  );
}
