import { Form, href } from "react-router";
import { Button, ButtonLink } from "../../ui/forms/button.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { type RefusedForm, refusedFor } from "../../ui/forms/refused-form.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { METADATA_NAME_MAX_LENGTH, METADATA_VALUE_MAX_LENGTH, NOTE_MAX_LENGTH } from "./limits.ts";

export type ShownNote = {
  id: string;
  text: string;
  createdAt: Date;
  /** Null when the author's account is gone. */
  author: string | null;
};

export type ShownMetadata = { name: string; value: string };

type Writable = { mayWrite: boolean; result: RefusedForm };

/** A note: its text with line breaks, its author, and when it was written. */
export function NoteText({ note, now }: { note: ShownNote; now: Date }) {
  const { t } = useTranslation("users");
  return (
    <div className="grid min-w-0 grow gap-1">
      <p dir="auto" className="wrap-anywhere whitespace-pre-line">
        {note.text}
      </p>
      <p className="text-muted">
        <bdi>{note.author ?? t("notes.formerManager")}</bdi>
        {" · "}
        <RelativeTime date={note.createdAt} now={now} />
      </p>
    </div>
  );
}

/** All notes about a user, and the form for another. */
export function NotesPanel(props: Writable & { notes: ShownNote[]; now: Date }) {
  const { notes, mayWrite, result, now } = props;
  const { t } = useTranslation("notes");
  const users = useTranslation("users").t;
  const refused = refusedFor(result, "add-note");
  return (
    <Panel title={users("notes.title")} intro={t("intro")}>
      {mayWrite && (
        // The field is empty again after a note was added.
        <Form key={notes[0]?.id} method="post" noValidate className="grid gap-4">
          <Field name="text" label={t("newNote")} errors={refused?.errors.text}>
            {(control) => (
              <textarea
                {...control}
                dir="auto"
                rows={3}
                maxLength={NOTE_MAX_LENGTH}
                defaultValue={refused?.values.text}
                className="input"
              />
            )}
          </Field>
          <Button name="intent" value="add-note" className="justify-self-start">
            {t("addNote")}
          </Button>
        </Form>
      )}
      {notes.length === 0 ? (
        <p className="text-sm text-muted">{users("notes.none")}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {notes.map((note) => (
            <li key={note.id} className="flex items-start gap-3 py-3">
              <NoteText note={note} now={now} />
              {mayWrite && (
                <Form method="post" className="shrink-0">
                  <input type="hidden" name="note" value={note.id} />
                  <Button variant="secondary" isSmall name="intent" value="remove-note">
                    {t("remove")}
                  </Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type MetadataProps = Writable & {
  userId: string;
  metadata: ShownMetadata[];
  /** Name of the value that the form changes. Any other text leaves the form for a new one. */
  asked: string;
};

/** The metadata of a user, and a form that adds or changes a value. */
export function MetadataPanel(props: MetadataProps) {
  const { userId, metadata, mayWrite } = props;
  const { t } = useTranslation("notes");
  const users = useTranslation("users").t;
  return (
    <Panel id="metadata" title={users("notes.metadata")} intro={t("metadataIntro")}>
      {metadata.length === 0 ? (
        <p className="text-sm text-muted">{t("noMetadata")}</p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {metadata.map(({ name, value }) => (
            <li key={name} className="flex flex-wrap items-start gap-3 py-3">
              <MetadataText name={name} value={value} />
              {mayWrite && (
                <div className="flex shrink-0 gap-3">
                  <ButtonLink
                    variant="secondary"
                    isSmall
                    to={`${href("/manager/users/:id/notes", { id: userId })}?${new URLSearchParams({ name })}#metadata`}
                  >
                    {t("change")}
                    <Named name={name} />
                  </ButtonLink>
                  <Form method="post">
                    <input type="hidden" name="removed" value={name} />
                    <Button variant="secondary" isSmall name="intent" value="remove-metadata">
                      {t("remove")}
                      <Named name={name} />
                    </Button>
                  </Form>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && <MetadataForm {...props} />}
    </Panel>
  );
}

/** A name and its value. */
export function MetadataText({ name, value }: ShownMetadata) {
  return (
    <div className="grid min-w-0 grow gap-1">
      <bdi dir="ltr" className="text-muted rtl:text-end">
        {name}
      </bdi>
      <span className="wrap-anywhere">
        <bdi>{value}</bdi>
      </span>
    </div>
  );
}

function MetadataForm({ userId, metadata, asked, result }: MetadataProps) {
  const { t } = useTranslation("notes");
  const common = useTranslation().t;
  const refused = refusedFor(result, "set-metadata");
  const changed = metadata.find(({ name }) => name === (refused?.values.name ?? asked));
  return (
    <Form
      // Resets the fields for another value, and after one was added.
      key={`${changed?.name} ${metadata.length}`}
      method="post"
      noValidate
      className="grid gap-4"
    >
      <input type="hidden" name="was" value={changed?.value ?? ""} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          name="name"
          label={t("name")}
          hint={t("nameHint")}
          dir="ltr"
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          readOnly={changed !== undefined}
          maxLength={METADATA_NAME_MAX_LENGTH}
          defaultValue={refused?.values.name ?? changed?.name}
          errors={refused?.errors.name}
        />
        <TextField
          name="value"
          label={t("value")}
          dir="auto"
          autoComplete="off"
          maxLength={METADATA_VALUE_MAX_LENGTH}
          defaultValue={refused?.values.value ?? changed?.value}
          errors={refused?.errors.value}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" name="intent" value="set-metadata">
          {t(changed ? "save" : "addMetadata")}
        </Button>
        {changed && (
          <ButtonLink variant="quiet" to={href("/manager/users/:id/notes", { id: userId })}>
            {common("actions.cancel")}
          </ButtonLink>
        )}
      </div>
    </Form>
  );
}

/** The subject of a button, for screen readers. */
function Named({ name }: { name: string }) {
  return (
    <span className="sr-only">
      {" "}
      <bdi>{name}</bdi>
    </span>
  );
}
