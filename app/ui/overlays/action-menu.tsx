import type { ReactNode } from "react";
import { useCssId } from "../layout/use-css-id.ts";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";
import { closePopover } from "./close-popover.ts";
import { ConfirmDrawer, type ConfirmDrawerProps } from "./confirm-drawer.tsx";
import { Menu } from "./menu.tsx";

/** An item of the menu that opens a question. */
export type MenuQuestion = Pick<
  ConfirmDrawerProps,
  | "intent"
  | "action"
  | "text"
  | "confirm"
  | "refused"
  | "isDestructive"
  | "needsChange"
  | "needsProof"
  | "children"
> & {
  icon: IconName;
  /** Text of the item, and heading of the question. */
  title: string;
};

type ActionMenuProps = {
  label: string;
  questions: MenuQuestion[];
  /** True beside other buttons. */
  isFramed?: boolean;
  /** Items that ask nothing, above the others. */
  children?: ReactNode;
};

/**
 * The "⋯" of a row, a part or a screen. It works without JavaScript. The questions are outside of the menu, because a
 * refused one is shown while the menu is closed.
 */
export function ActionMenu({ label, questions, isFramed, children }: ActionMenuProps) {
  const id = useCssId();
  const drawerOf = ({ intent }: MenuQuestion) => `${id}-${intent}`;
  return (
    <>
      <Menu
        label={label}
        trigger={<Icon name="ellipsis" className="size-4" />}
        triggerClassName={`icon-button ${isFramed ? "border border-line-button bg-panel shadow-low" : ""}`}
      >
        {children}
        {questions.map((question) => (
          <button
            key={question.intent}
            type="button"
            popoverTarget={drawerOf(question)}
            onClick={closePopover}
            className={`menu-item ${question.isDestructive ? "text-danger" : ""}`}
          >
            <Icon name={question.icon} className="size-4 shrink-0" />
            {question.title}
          </button>
        ))}
      </Menu>
      {questions.map((question) => {
        const { title, ...drawer } = question;
        return (
          <ConfirmDrawer
            key={question.intent}
            openedById={drawerOf(question)}
            trigger={title}
            {...drawer}
          />
        );
      })}
    </>
  );
}

type ActionMenuItemProps = { icon: IconName; children: ReactNode };

/** An item that sends the form around it. */
export function ActionMenuItem({ icon, children }: ActionMenuItemProps) {
  return (
    <button type="submit" onClick={closePopover} className="menu-item">
      <Icon name={icon} className="size-4 shrink-0" />
      {children}
    </button>
  );
}

type CopyItemProps = {
  text: string;
  label: string;
  /** Label of a link to the same URL, for browsers that cannot copy by a button. */
  withoutScripts: string;
};

/** An item that copies a URL. */
export function CopyItem({ text, label, withoutScripts }: CopyItemProps) {
  return (
    <>
      <button
        type="button"
        onClick={(event) => {
          closePopover(event);
          void navigator.clipboard.writeText(text);
        }}
        className="menu-item [@media(scripting:none)]:hidden"
      >
        <Icon name="copy" className="size-4 shrink-0" />
        {label}
      </button>
      <a href={text} className="menu-item [@media(scripting:enabled)]:hidden">
        <Icon name="copy" className="size-4 shrink-0" />
        {withoutScripts}
      </a>
    </>
  );
}
