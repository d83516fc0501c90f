/** Webhooks of the site, and of one organization. */
export const MAX_WEBHOOKS = { site: 20, organization: 10 } as const;

/** Deliveries stay so long, also those that were never made. */
export const DELIVERY_DAYS = 30;
