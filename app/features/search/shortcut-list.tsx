import { Fragment, useState } from "react";
import { areSingleKeysOn, setSingleKeys } from "../../ui/layout/single-keys.ts";
import { aroundValues } from "../../ui/text/around-values.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { CloseButton, Key, Keys, type KeysProps } from "./dialog-parts.tsx";
import { letterOf } from "./shortcuts.ts";

/** Keys that act without another key. */
const SINGLE_KEYS = ["/", "?", "J", "K", "X", "G"];

type ShortcutListProps = {
  isApple: boolean;
  /** The screens of the area. */
  screens: readonly { path: string; label: string }[];
};

/** List of all shortcuts, with the switch that turns single-key shortcuts off. */
export function ShortcutList({ isApple, screens }: ShortcutListProps) {
  const { t } = useTranslation("search");
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  const [before, after] = aroundValues((keys) => t("shortcuts.singleKeysHint", { keys }));
  const shortcuts: (KeysProps & { text: string; isSingle?: boolean })[] = [
    { keys: [isApple ? "⌘" : "Ctrl", "K"], text: t("shortcuts.palette") },
    { keys: ["/"], text: t("shortcuts.search"), isSingle: true },
    { keys: ["?"], text: t("shortcuts.list"), isSingle: true },
    { keys: ["J", "K"], how: "either", text: t("shortcuts.rows"), isSingle: true },
    { keys: ["X"], text: t("shortcuts.choose"), isSingle: true },
    { keys: ["↑", "↓"], how: "either", text: t("shortcuts.move") },
    { keys: ["↵"], text: t("shortcuts.open") },
    { keys: ["Esc"], text: t("shortcuts.close") },
  ];
  return (
    <div className="grid gap-4 px-6 pt-4 pb-6">
      <div className="search-corner">
        <CloseButton />
      </div>
      <section className="grid gap-1">
        <h3 className="text-sm font-semibold">{t("shortcuts.general")}</h3>
        <dl>
          {shortcuts.map(({ isSingle, ...shortcut }) => (
            <Shortcut key={shortcut.text} {...shortcut} isOff={isSingle === true && !isOn} />
          ))}
        </dl>
      </section>
      <section className="grid gap-1">
        <h3 className="text-sm font-semibold">{t("shortcuts.go")}</h3>
        <dl className="grid gap-x-8 sm:grid-cols-2">
          {screens.map(({ path, label }) => {
            const letter = letterOf(path);
            return (
              letter && (
                <Shortcut
                  key={path}
                  keys={["G", letter]}
                  how="inOrder"
                  text={label}
                  isOff={!isOn}
                />
              )
            );
          })}
        </dl>
      </section>
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-md border border-line bg-sunken px-4 py-3 text-sm">
        <span className="grid gap-1">
          <span id="single-keys" className="font-medium">
            {t("shortcuts.singleKeys")}
          </span>
          <span id="single-keys-hint" className="text-muted">
            {before}
            <span className="whitespace-nowrap">
              {SINGLE_KEYS.map((key) => (
                <Fragment key={key}>
                  <Key>{key}</Key>{" "}
                </Fragment>
              ))}
            </span>
            {after}
          </span>
        </span>
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: the browser itself says whether a checkbox is checked
          role="switch"
          aria-labelledby="single-keys"
          aria-describedby="single-keys-hint"
          checked={isOn}
          onChange={({ target }) => setIsOn(setSingleKeys(target.checked) && target.checked)}
          className="search-switch"
        />
      </label>
    </div>
  );
}

/** A row: what the keys do, crossed out while they are off. */
function Shortcut({ text, isOff, ...keys }: KeysProps & { text: string; isOff: boolean }) {
  return (
    <div
      className={`flex min-h-9 items-center justify-between gap-4 text-sm ${isOff ? "text-muted line-through" : ""}`}
    >
      <dt>{text}</dt>
      <dd className="shrink-0">
        <Keys {...keys} />
      </dd>
    </div>
  );
}
