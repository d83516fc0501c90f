/** Stands in for standardwebhooks, with which Resend's SDK would verify calls from Resend: this product takes none. */
export class Webhook {
  constructor() {
    throw new Error("This product takes no webhooks");
  }
}
