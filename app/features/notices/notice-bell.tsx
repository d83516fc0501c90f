import { NavLink, useNavigation } from "react-router";
import { Icon } from "../../ui/text/icon.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { READ_UNTIL } from "./notices.ts";

const MOST_SHOWN = 99;

/** Link to the notices, with the number of unread ones. */
export function NoticeBell({ path, unread: count }: { path: string; unread: number }) {
  const { t } = useTranslation("notices");
  const format = useFormat();
  // As in the list, the mark as read shows before the answer.
  const isMarked = useNavigation().formData?.has(READ_UNTIL) ?? false;
  const unread = isMarked ? 0 : count;
  const shown = format.number(Math.min(unread, MOST_SHOWN)) + (unread > MOST_SHOWN ? "+" : "");
  return (
    <NavLink
      to={path}
      end
      aria-label={unread > 0 ? t("unread", { count: unread }) : t("title")}
      className="relative inline-flex min-h-11 min-w-11 items-center justify-center rounded-md text-muted transition-colors duration-150 hover:bg-fill hover:text-ink aria-[current]:bg-accent-fill aria-[current]:text-accent-ink"
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          // Drawn by CSS: visible text in a link would have to be part of its accessible name.
          data-count={shown}
          suppressHydrationWarning
          className="absolute start-6 top-1 grid min-w-4.5 place-items-center rounded-full bg-accent px-1 font-sans text-[0.6875rem] leading-4.5 font-semibold text-on-accent before:content-[attr(data-count)]"
        />
      )}
    </NavLink>
  );
}
