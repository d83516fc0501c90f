import { href } from "react-router";
import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { notesServer } from "./feature.server.ts";
import type { notes } from "./feature.ts";
import { MetadataText, NoteText, type ShownMetadata, type ShownNote } from "./notes-screen.tsx";

/** The newest notes about a user. */
function UserNotes({ subject, shown, now }: PanelProps<"userAside", ShownNote[]>) {
  const { t } = useTranslation("users");
  return (
    <Panel title={t("notes.title")} action={<NotesLink id={subject.id} />}>
      {shown.length === 0 ? (
        <p className="text-sm text-muted">{t("notes.none")}</p>
      ) : (
        <ul className="-my-3 divide-y divide-line text-sm">
          {shown.map((note) => (
            <li key={note.id} className="flex py-3">
              <NoteText note={note} now={now} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The metadata of a user, where there is any. */
function UserMetadata({ shown }: PanelProps<"userAside", ShownMetadata[]>) {
  const { t } = useTranslation("users");
  if (shown.length === 0) return null;
  return (
    <Panel title={t("notes.metadata")}>
      <ul className="grid gap-3 text-sm">
        {shown.map((one) => (
          <li key={one.name}>
            <MetadataText {...one} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function NotesLink({ id }: { id: string }) {
  const { t } = useTranslation("users");
  return <PanelLink to={href("/manager/users/:id/notes", { id })}>{t("notes.open")}</PanelLink>;
}

export const notePanels = {
  "user-notes": UserNotes,
  "user-metadata": UserMetadata,
} satisfies FeaturePanels<typeof notes, typeof notesServer>;
