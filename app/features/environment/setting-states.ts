import { Environment } from "./config.ts";

/** Name of a setting, and whether it is set, takes its default or has no value. Never the value. */
export type SettingState = { name: string; state: "set" | "default" | "missing" };

/** Tells of every setting whether it is set. A blank one is not. */
export function describeSettings(environment: Record<string, unknown>): SettingState[] {
  return Object.entries(Environment.shape).map(([name, schema]) => {
    const value = environment[name];
    if (typeof value === "string" && value.trim() !== "") return { name, state: "set" };
    const { data } = schema.safeParse("");
    const hasDefault = data !== undefined && !(Array.isArray(data) && data.length === 0);
    return { name, state: hasDefault ? "default" : "missing" };
  });
}
