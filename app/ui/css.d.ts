import "react";

declare module "react" {
  interface CSSProperties {
    "--font-scale"?: number;
    "--normal-bg"?: string;
    "--normal-border"?: string;
    "--normal-text"?: string;
    anchorName?: string;
    positionAnchor?: string;
  }
}
