import type { MouseEvent, ReactNode } from "react";
import { Form, href, Link, useLocation, useNavigation } from "react-router";
import { Button } from "../../ui/forms/button.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Icon } from "../../ui/text/icon.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { VIEW_NAME_MAX_LENGTH } from "../query/list-sizes.ts";
import type { SavedView } from "../query/list-state.ts";
import { withoutPosition } from "../query/list-url.ts";
import { ToolText, toolClass } from "./tool-text.tsx";

/** Menu of the list's saved views, with a form that saves the list as it is. */
export function ViewMenu({ views }: { views: SavedView[] }) {
  const { t } = useTranslation();
  const { pathname, search: whole } = useLocation();
  const search = withoutPosition(whole);
  const deleted = useNavigation().formData?.get("id");
  const left = views.filter(({ id }) => id !== deleted);
  const isNew = search !== "" && !views.some((view) => view.search === search);
  const here = { list: pathname.replace(/\/$/, ""), search };
  return (
    <Menu
      label={t("views.title")}
      trigger={<ToolText icon="bookmark" text={t("views.title")} />}
      triggerClassName={toolClass}
    >
      {left.map(({ id, name, search: own }) => (
        <div key={id} className="flex">
          <Link
            to={`${pathname}?${own}`}
            aria-current={own === search || undefined}
            className="filter-link min-w-0 grow"
            onClick={closePopover}
          >
            <bdi className="truncate">{name}</bdi>
          </Link>
          <ViewForm {...here} intent="delete">
            <input type="hidden" name="id" value={id} />
            <button
              type="submit"
              aria-label={t("views.delete", { name: isolate(name) })}
              onClick={closePopover}
              className="icon-button"
            >
              <Icon name="x" className="size-4" />
            </button>
          </ViewForm>
        </div>
      ))}
      {isNew && (
        <ViewForm {...here} intent="save" className="filter-form border-line not-first:border-t">
          <label className="grid gap-1 text-xs font-medium text-muted">
            {t("views.name")}
            <input
              name="name"
              required
              dir="auto"
              autoComplete="off"
              maxLength={VIEW_NAME_MAX_LENGTH}
              className="min-h-control rounded-md border border-line-strong bg-panel px-2 text-base text-ink md:text-sm"
            />
          </label>
          <Button isSmall onClick={closeWhenNamed}>
            {t("views.save")}
          </Button>
        </ViewForm>
      )}
      {search === "" && left.length === 0 && (
        <p className="max-w-64 p-2 text-sm text-muted">{t("views.none")}</p>
      )}
    </Menu>
  );
}

type ViewFormProps = {
  list: string;
  search: string;
  intent: "save" | "delete";
  className?: string;
  children: ReactNode;
};

function ViewForm({ list, search, intent, className, children }: ViewFormProps) {
  return (
    <Form
      method="post"
      action={href("/saved-views")}
      replace
      preventScrollReset
      className={className}
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="search" value={search} />
      {children}
    </Form>
  );
}

/** Closes the menu, unless the browser is about to ask for a name. */
function closeWhenNamed(event: MouseEvent<HTMLButtonElement>): void {
  if (event.currentTarget.form?.checkValidity()) closePopover(event);
}
