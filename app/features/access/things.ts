import type { Figure, Thing, ToDo } from "../../feature.ts";
import { joined } from "../../features.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import type { Permission } from "./permissions.ts";

// `features.check.ts` compares their texts, paths and permissions with the tables.

/** The things of features, by their kind. */
export const THINGS = joined("things") as Readonly<
  Partial<Record<string, Thing & { label: MessageKey; needs: Permission }>>
>;

/** The numbers of features on the dashboard, by their counter. */
export const FIGURES = joined("figures") as Readonly<
  Partial<Record<string, Figure & { label: MessageKey; needs: Permission }>>
>;

/** What waits for a manager in features. */
export const TO_DO = joined("toDo") as Readonly<
  Partial<Record<string, ToDo & { label: MessageKey; needs: Permission }>>
>;
