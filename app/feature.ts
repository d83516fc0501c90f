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

/**
 * A URL of a feature, as a row of its `routes.ts`. Its place in `app/routes.ts` decides the path before its own, the guard
 * and the layout.
 */
export type FeatureRoute = {
  in: RoutePlace;
  path: string;
  /** File in the feature's folder `routes`. */
  file: string;
};

export type RoutePlace =
  /** Below no layout. */
  | "root"
  /** The pages of the sign-in. */
  | "login"
  /** `/app`, for everybody who is signed in. */
  | "app"
  /** `/app/organizations/:slug`, for its members. */
  | "organization"
  /** `account` in both areas. */
  | "account"
  /** `/manager`, for managers. */
  | "manager"
  /** `/manager` for answers that are no pages, such as exports. */
  | "manager-files"
  /** `/manager/settings`. */
  | "settings";
