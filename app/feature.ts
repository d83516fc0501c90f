/**
 * What a feature tells the core about itself, for the server and the browser: literals in its `feature.ts`, which imports
 * types and leaf constants only. `features.ts` lists the features; the core reads the list and names none of them.
 */
export type FeatureFacts = {
  /** Name of its folder, of its texts in `locales` and for `npm run remove`. */
  name: string;
  /** Features that must be there too. */
  needs?: readonly string[];
};
