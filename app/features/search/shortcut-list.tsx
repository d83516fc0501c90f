import { useState } from "react";
import { areSingleKeysOn, setSingleKeys } from "../../ui/single-keys.ts";
import { useTranslation } from "../../ui/translation.tsx";
import { CloseButton, Key } from "./dialog-parts.tsx";

/** List of all shortcuts, with the switch that turns single-key shortcuts off. */
export function ShortcutList({ isApple }: { isApple: boolean }) {
  const { t } = useTranslation("search");
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  const shortcuts = [
    { keys: [isApple ? "⌘" : "Ctrl", "K"], text: t("shortcuts.palette") },
    { keys: ["/"], text: t("shortcuts.search"), isSingle: true },
    { keys: ["?"], text: t("shortcuts.list"), isSingle: true },
    { keys: ["J", "K"], text: t("shortcuts.rows"), isSingle: true },
    { keys: ["X"], text: t("shortcuts.choose"), isSingle: true },
    { keys: ["G", "…"], text: t("shortcuts.go"), isSingle: true },
    { keys: ["↑", "↓"], text: t("shortcuts.move") },
    { keys: ["↵"], text: t("shortcuts.open") },
    { keys: ["Esc"], text: t("shortcuts.close") },
  ];
  return (
    <div className="grid gap-4 px-6 pt-2 pb-8">
      <div className="search-corner">
        <CloseButton />
      </div>
      <dl>
        {shortcuts.map(({ keys, text, isSingle }) => (
          <div
            key={text}
            className={`flex min-h-11 items-center justify-between gap-4 border-b border-line text-sm ${isSingle && !isOn ? "text-muted line-through" : ""}`}
          >
            <dt>{text}</dt>
            <dd dir="ltr" className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-md border border-line bg-sunken px-4 py-3 text-sm">
        <span className="grid gap-1">
          <span id="single-keys" className="font-medium">
            {t("shortcuts.singleKeys")}
          </span>
          <span id="single-keys-hint" className="text-muted">
            {t("shortcuts.singleKeysHint")}
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
