import { Autocomplete } from "@base-ui/react/autocomplete";
import { type RefObject, useState } from "react";
import { useMatches } from "react-router";
import type { HeaderProps } from "../../feature.ui.ts";
import { matchedParts } from "../../lists/query/matched-parts.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Avatar } from "../../ui/text/avatar.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { WithOwnText } from "../../ui/text/with-own-text.tsx";
import { SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";
import { actionsInView } from "../access/in-view.ts";
import { CloseButton, Key } from "./dialog-parts.tsx";
import {
  commandGroups,
  type Entry,
  type EntryGroup,
  filterGroups,
  inViewGroup,
  pageGroup,
  recordGroups,
  withLinksToLists,
} from "./entries.ts";
import { recentRecords, rememberRecord } from "./recent-records.ts";
import type { Command } from "./use-commands.ts";
import { useFoundRecords } from "./use-found-records.ts";

type PaletteProps = HeaderProps & {
  inputRef: RefObject<HTMLInputElement | null>;
  onCommand: (command: Command) => void;
};

/** Search field for screens, records and frequent actions. */
export function Palette({ area, inputRef, onCommand, ...rest }: PaletteProps) {
  const { t, i18n } = useTranslation("search");
  const text = useText();
  const [typed, setTyped] = useState("");
  const term = typed.trim();
  const format = useFormat();
  const { contains } = Autocomplete.useFilter({ locale: i18n.language });
  const { status, records, retry } = useFoundRecords(term);

  const hasKeyboard = !matchMedia("(pointer: coarse)").matches;
  const commands = commandGroups({ ...rest, area }, { hasKeyboard, term }, t, text);
  const inView = inViewGroup(actionsInView(useMatches()), text);
  const pages = term ? [pageGroup({ ...rest, area }, text)] : [];
  const found = recordGroups(records, area);
  const recent: EntryGroup[] = term
    ? []
    : [{ name: "recent", label: "search:groups.recent", items: recentRecords(area) }];
  const shown = [
    ...filterGroups(recent, "", contains),
    ...filterGroups([inView, ...commands, ...pages], term, contains),
    // While a new search runs, the records of the last search stay as far as they match the new term.
    ...filterGroups(found, status === "searching" ? term : "", contains),
  ];
  const count = shown.reduce((sum, { items }) => sum + items.length, 0);
  const groups =
    status === "found" ? withLinksToLists(shown, records, { area, term }, t, format.number) : shown;
  const hasMore = groups.some(
    ({ items }, index) => items.length > (shown[index]?.items.length ?? 0),
  );

  function choose(entry: Entry) {
    if (entry.isRecord) rememberRecord(area, entry);
    onCommand(entry.command);
  }

  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      // Filtered above, and by the server.
      filter={null}
      itemToStringValue={({ label }: Entry) => label}
      autoHighlight="always"
      keepHighlight
      value={typed}
      onValueChange={(value, { reason }) => {
        if (reason !== "item-press") setTyped(value);
      }}
    >
      <div className="search-field">
        <Icon name="search" className="size-5 shrink-0 text-muted" />
        <Autocomplete.Input
          ref={inputRef}
          aria-label={t("placeholder")}
          placeholder={t("placeholder")}
          maxLength={SEARCH_TERM_MAX_LENGTH}
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="search-input"
        />
        <CloseButton />
      </div>
      <div className="search-results">
        {status === "found" && count === 0 && <NothingFound term={term} />}
        <EntryList term={term} onChoose={choose} />
        {status === "failed" && <Failed onRetry={retry} />}
      </div>
      <StatusLine status={status} count={count} hasMore={hasMore} term={term} />
    </Autocomplete.Root>
  );
}

function EntryList({ term, onChoose }: { term: string; onChoose: (entry: Entry) => void }) {
  const text = useText();
  return (
    <Autocomplete.List className="search-list">
      {(group: EntryGroup) => (
        <Autocomplete.Group key={group.name} items={group.items} className="search-group">
          <Autocomplete.GroupLabel className="px-3 py-2 text-xs font-medium text-muted">
            {text(group.label)}
          </Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(entry: Entry) => (
              <EntryItem
                key={entry.id}
                entry={entry}
                term={term}
                onChoose={() => onChoose(entry)}
              />
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  );
}

type StatusLineProps = {
  status: ReturnType<typeof useFoundRecords>["status"];
  count: number;
  hasMore: boolean;
  term: string;
};

/** Line under the entries: how the search stands, and on a desktop the keys. */
function StatusLine({ status, count, hasMore, term }: StatusLineProps) {
  const { t } = useTranslation("search");
  const isNothing = status === "found" && count === 0;
  return (
    <div className={`search-status ${isNothing ? "max-md:sr-only" : ""}`}>
      <Autocomplete.Status className="flex items-center gap-2">
        {status === "searching" && (
          <>
            <Spinner />
            {t("searching")}
          </>
        )}
        {status === "found" &&
          count > 0 &&
          (hasMore ? t("foundMore", { shown: count }) : t("found", { count }))}
        {isNothing && (
          <span className="sr-only">
            <WithOwnText text={(searchTerm) => t("nothing", { searchTerm })} value={term} />
          </span>
        )}
      </Autocomplete.Status>
      <div aria-hidden="true" className="flex items-center gap-4 max-md:hidden">
        {count > 0 && (
          <>
            <Hint keys={["↑", "↓"]}>{t("hints.move")}</Hint>
            <Hint keys={["↵"]}>{t("hints.open")}</Hint>
          </>
        )}
        <Hint keys={["Esc"]}>{t("hints.close")}</Hint>
      </div>
    </div>
  );
}

type EntryItemProps = { entry: Entry; term: string; onChoose: () => void };

function EntryItem({ entry, term, onChoose }: EntryItemProps) {
  const { label, icon, person, detail, isNamed, isRecord, shortcut } = entry;
  return (
    <Autocomplete.Item value={entry} onClick={onChoose} className="search-entry">
      {person && <Avatar {...person} />}
      {icon && (
        <span className="grid size-8 shrink-0 place-items-center text-muted">
          <Icon name={icon} className="size-4" />
        </span>
      )}
      <span className="search-words" data-stacked={isRecord && ""}>
        <bdi className={isNamed ? "truncate font-medium" : "truncate"}>
          <Marked term={term}>{label}</Marked>
        </bdi>
        {detail && (
          <bdi className="truncate text-muted">
            <Marked term={term}>{detail}</Marked>
          </bdi>
        )}
      </span>
      {shortcut && (
        <span aria-hidden="true" className="search-entry-keys">
          <Key>{shortcut}</Key>
        </span>
      )}
    </Autocomplete.Item>
  );
}

/** A text with the letters of a term in bold. */
function Marked({ term, children }: { term: string; children: string }) {
  return matchedParts(children, term).map(({ text, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    isMatch ? <b key={index}>{text}</b> : text,
  );
}

/** Hidden from screen readers, because the status line says the same. */
function NothingFound({ term }: { term: string }) {
  const { t } = useTranslation("search");
  return (
    <div aria-hidden="true" className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <p className="text-sm font-medium">
        <WithOwnText text={(searchTerm) => t("nothing", { searchTerm })} value={term} />
      </p>
      <p className="text-sm text-muted">{t("nothingHint")}</p>
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation("search");
  const common = useTranslation();
  const again = (
    <Button type="button" variant="secondary" isSmall onClick={onRetry}>
      {common.t("actions.retry")}
    </Button>
  );
  return (
    <div className="m-4">
      <Notice kind="error" action={again}>
        {t("failed")}
      </Notice>
    </div>
  );
}

function Hint({ keys, children }: { keys: string[]; children: string }) {
  return (
    <span className="flex items-center gap-2">
      {keys.map((key) => (
        <Key key={key}>{key}</Key>
      ))}
      {children}
    </span>
  );
}
