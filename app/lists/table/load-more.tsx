import { type RefObject, useLayoutEffect, useRef } from "react";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { ListState } from "../query/list-state.ts";
import { useListUrl } from "../query/list-url.ts";
import { useIsLoadingMore } from "./list-loading.ts";

type LoadMoreProps = {
  state: ListState;
  /** The element around the rows. */
  list: RefObject<HTMLElement | null>;
};

/** Links to more rows and back to the start of the list. */
export function LoadMore({ state, list }: LoadMoreProps) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  const isLoadingMore = useIsLoadingMore();
  const pressed = useRef<{ link: Element; firstNew: number }>(undefined);
  const { more, shown, isFirstPage } = state;
  const goesOnBehind = more?.after !== undefined && more.pages === undefined;

  // Outside React: the focus, which moves to the first new row unless the user has moved it
  // meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that came
  useLayoutEffect(() => {
    if (!pressed.current) return;
    const { link, firstNew } = pressed.current;
    pressed.current = undefined;
    if (![link, document.body, null].includes(document.activeElement)) return;
    const row = list.current?.querySelectorAll("tbody tr")[firstNew];
    row?.querySelector<HTMLElement>("a[href], summary")?.focus({ preventScroll: true });
  }, [state]);

  return (
    <div className="load-more">
      {!isFirstPage && (
        <ButtonLink variant="quiet" isSmall to={urlWith({})}>
          {t("list.first")}
        </ButtonLink>
      )}
      {more && (
        <ButtonLink
          variant="secondary"
          isSmall
          to={urlWith(more)}
          replace
          preventScrollReset={!goesOnBehind}
          aria-busy={isLoadingMore || undefined}
          onClick={({ currentTarget }) => {
            pressed.current = { link: currentTarget, firstNew: goesOnBehind ? 0 : shown };
          }}
        >
          {isLoadingMore && <Spinner />}
          {t("list.loadMore")}
        </ButtonLink>
      )}
    </div>
  );
}
