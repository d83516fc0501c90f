import type { ComponentType } from "react";
import type { AnyPlace, PanelSubject } from "./feature.ui.ts";
import { apiKeyPanels } from "./features/api-keys/panels.tsx";
import { chartPanels } from "./features/charts/panels.tsx";
import { connectedAppPanels } from "./features/connected-apps/panels.tsx";
import { mcpPanels } from "./features/mcp/panels.tsx";
import { notePanels } from "./features/notes/panels.tsx";
import { repositoryPanels } from "./features/repositories/panels.tsx";
import { sharingPanels } from "./features/sharing/panels.tsx";
import { teamPanels } from "./features/teams/panels.tsx";
import { webhookPanels } from "./features/webhooks/panels.tsx";

/** The panels that features draw in pages of the core and of other features. Only pages import them. */
const PANELS: Readonly<Record<string, ComponentType<never>>> = {
  ...sharingPanels,
  ...repositoryPanels,
  ...teamPanels,
  ...apiKeyPanels,
  ...connectedAppPanels,
  ...chartPanels,
  ...mcpPanels,
  ...notePanels,
  ...webhookPanels,
};

type FeaturePanelsProps<Place extends AnyPlace> = {
  subject: PanelSubject[Place];
  /** What each visible panel shows, as `openPanels` told the loader. */
  panels: Readonly<Record<string, unknown>>;
  now: Date;
};

type Drawn = { subject: object; shown: unknown; now: Date };

/** Draws the features' panels of a place in a page. */
export function FeaturePanels<Place extends AnyPlace>(props: FeaturePanelsProps<Place>) {
  const { subject, panels, now } = props;
  return Object.entries(panels).map(([name, shown]) => {
    // `FeaturePanels` of feature.ui.ts has checked each component against the facts of its feature.
    const Panel = PANELS[name] as ComponentType<Drawn> | undefined;
    return Panel && <Panel key={name} subject={subject} shown={shown} now={now} />;
  });
}
