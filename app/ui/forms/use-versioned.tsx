import { useTranslation } from "../text/translation.tsx";

type Stored = { version: number | string };

/** An action's answer: what was typed, and after a conflict what another person has saved meanwhile. */
type Answer = { values: Record<string, string>; theirs?: Stored | undefined };

type TheirsOf<One> = One extends unknown
  ? "theirs" extends keyof One
    ? NonNullable<One["theirs"]>
    : never
  : never;

/**
 * What a form shows that edits something which others may edit too. `base` is the version that the
 * next save is based on: after a conflict the one just shown, after another error the one that the
 * form was loaded with. The form contains `field`, and its button says `overwrite` after a
 * conflict.
 */
export function useVersioned<const One extends Answer>(stored: Stored, answer: One | undefined) {
  const { t } = useTranslation();
  const typed = answer?.values;
  // What `TheirsOf` says: only some of an action's answers have it.
  const theirs = answer?.theirs as TheirsOf<One> | undefined;
  const base = theirs?.version ?? typed?.version ?? stored.version;
  return {
    typed,
    theirs,
    base,
    field: <input type="hidden" name="version" value={base} />,
    overwrite: theirs && t("conflict.overwrite"),
  };
}
