import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { CodeBlock } from "../../ui/text/code-block.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { keysPath } from "../api-keys/keys-path.ts";
import type { mcpServer } from "./feature.server.ts";
import type { mcp } from "./feature.ts";
import { MCP } from "./mcp-paths.ts";

/** The URL that a person gives an agent. */
function AgentUrl({ subject, shown: isOpen }: PanelProps<"connected-apps:own", boolean>) {
  const { t } = useTranslation("mcp");
  return (
    <Panel title={t("title")} intro={t("intro")}>
      <CodeBlock text={subject.issuer + MCP} copy={t("copy")} />
      <p className="text-sm text-muted">{t(isOpen ? "open" : "known")}</p>
      <p className="text-sm">
        <PanelLink to={keysPath(subject.area)}>{t("keys")}</PanelLink>
      </p>
    </Panel>
  );
}

export const mcpPanels = {
  "agent-url": AgentUrl,
} satisfies FeaturePanels<typeof mcp, typeof mcpServer>;
