export const ORGANIZATIONS = "/app/organizations";
export const NEW_ORGANIZATION = "/app/organizations/new";
