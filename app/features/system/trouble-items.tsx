import { href } from "react-router";
import { isolate } from "../../ui/text/isolate.ts";
import { useText } from "../../ui/text/translation.tsx";
import { AttentionItem, type AttentionItemProps } from "../access/attention-item.tsx";
import type { Permission } from "../access/permissions.ts";
import { FEATURE_TROUBLES, type Trouble } from "./troubles.ts";

type Place = Pick<AttentionItemProps, "permission" | "to">;

const SYSTEM: Place = { permission: ["system", "read"], to: href("/manager/settings/system") };
export type TroublesProps = { troubles: Trouble[] };

/** List items of what does not work, for the dashboard; each leads to the page that says more. */
export function TroubleItems({ troubles }: TroublesProps) {
  const text = useText();
  return troubles.map(({ name, shown }) => (
    <AttentionItem key={name} {...placeOf(name)} icon={{ name: "octagon-x", tone: "text-danger" }}>
      {text(`manager:trouble.${name}`, isolated(shown))}
    </AttentionItem>
  ));
}

function placeOf(name: Trouble["name"]): Place {
  const place = FEATURE_TROUBLES[name];
  // `features.check.ts` compares the pair with the table of permissions.
  return place ? { permission: place.needs as Permission, to: place.to } : SYSTEM;
}

/** Values of a sentence, each in its own direction of writing. */
export function isolated(shown: Trouble["shown"]) {
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, isolate(value)]));
}
