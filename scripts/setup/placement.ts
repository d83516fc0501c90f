/** Where D1 can keep a database, each with a cloud's region there: Cloudflare places a worker near such a region. */
export const LOCATIONS: Record<string, string> = {
  weur: "aws:eu-central-1",
  eeur: "gcp:europe-central2",
  wnam: "aws:us-west-2",
  enam: "aws:us-east-1",
  apac: "aws:ap-southeast-1",
  oc: "aws:ap-southeast-2",
};

/** Returns what is wrong with a location, and the cure. */
export function checkLocation(location: string): string | undefined {
  if (location in LOCATIONS) return undefined;
  return `"${location}" is no location of D1. Give one of ${Object.keys(LOCATIONS).join(", ")}.`;
}
