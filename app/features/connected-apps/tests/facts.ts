import { callFacts } from "./call-facts.ts";
import { ownFacts } from "./own-facts.ts";

export const facts = [callFacts, ownFacts];
