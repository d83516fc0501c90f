import { Icon } from "../../../ui/icon.tsx";

/** A provider's own sign; a key for one that has none here. */
export function ProviderMark({ id }: { id: string }) {
  return <Icon name={id === "google" || id === "github" ? id : "key-round"} className="size-4" />;
}
