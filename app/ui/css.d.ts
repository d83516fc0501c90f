import "react";

declare module "react" {
  interface CSSProperties {
    "--font-scale"?: number;
    "--along"?: number;
    "--risen"?: number;
    "--days"?: number;
    "--hue"?: number;
    [label: `--label-${number}`]: string | undefined;
    "--normal-bg"?: string;
    "--normal-border"?: string;
    "--normal-text"?: string;
    [closeButton: `--toast-close-button-${string}`]: string | undefined;
    anchorName?: string;
    positionAnchor?: string;
  }
}
