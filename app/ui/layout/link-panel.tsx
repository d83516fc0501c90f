import { ButtonLink } from "../forms/button.tsx";
import { Icon } from "../text/icon.tsx";
import type { IconName } from "../text/icon-names.ts";
import { Panel } from "./panel.tsx";

type LinkPanelProps = { title: string; intro: string; to: string; icon: IconName; link: string };

/** A part of the settings that has a screen of its own. */
export function LinkPanel({ title, intro, to, icon, link }: LinkPanelProps) {
  return (
    <Panel isBeside title={title} intro={intro}>
      <div>
        <ButtonLink variant="secondary" isSmall to={to}>
          <Icon name={icon} className="size-4" />
          {link}
        </ButtonLink>
      </div>
    </Panel>
  );
}
