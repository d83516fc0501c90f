import { ownFacts } from "./own-facts.ts";

export const facts = { ...ownFacts };
