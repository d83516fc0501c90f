import { useTranslation } from "../../ui/text/translation.tsx";
import { CloseButton, Keys, type KeysProps } from "./dialog-parts.tsx";

export function ShortcutList({ isApple }: { isApple: boolean }) {
  const { t } = useTranslation("search");
  const shortcuts: (KeysProps & { text: string })[] = [
    { keys: [isApple ? "⌘" : "Ctrl", "K"], text: t("shortcuts.palette") },
    { keys: ["/"], text: t("shortcuts.search") },
    { keys: ["?"], text: t("shortcuts.list") },
    { keys: ["↑", "↓"], isEither: true, text: t("shortcuts.move") },
    { keys: ["↵"], text: t("shortcuts.open") },
    { keys: ["Esc"], text: t("shortcuts.close") },
  ];
  return (
    <div className="px-6 pt-4 pb-6">
      <div className="search-corner">
        <CloseButton />
      </div>
      <dl>
        {shortcuts.map(({ text, ...keys }) => (
          <div key={text} className="flex min-h-9 items-center justify-between gap-4 text-sm">
            <dt>{text}</dt>
            <dd className="shrink-0">
              <Keys {...keys} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
