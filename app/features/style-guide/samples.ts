import type { ReactNode } from "react";

/** Draws the states of one component. */
export type Story = () => ReactNode;

/** The time at which the stories are seen. */
export const NOW = new Date("2026-11-21T23:17:00Z");

export const EMAIL = "lina@example.com";

export const SENTENCE = "The gate opens when the code is right.";
