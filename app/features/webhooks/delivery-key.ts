/** The key of a delivery of one webhook: the time and the id of its event. */
export type DeliveryKey = { createdAt: Date; eventId: string };

/** What `writeDelivery` writes. */
export const DELIVERY_KEY = /^\d{1,15}\.[\w-]{1,64}$/;

export function readDelivery(text: string): DeliveryKey {
  const dot = text.indexOf(".");
  return { createdAt: new Date(Number(text.slice(0, dot))), eventId: text.slice(dot + 1) };
}

/** Returns the place in a list behind a delivery. */
export function afterDelivery({ createdAt, eventId }: DeliveryKey) {
  return { value: createdAt.getTime(), id: eventId };
}

/** Writes the key of a delivery for a form or a URL. */
export function writeDelivery({ createdAt, eventId }: DeliveryKey): string {
  return `${createdAt.getTime()}.${eventId}`;
}
