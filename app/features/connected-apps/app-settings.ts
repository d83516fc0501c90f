/** What managers allow others to do with apps. */
export type AppSettings = {
  /** Owners may register apps for their organization. */
  organizationApps: boolean;
};
