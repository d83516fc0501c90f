import { callFacts } from "./call-facts.ts";

export const facts = callFacts;
