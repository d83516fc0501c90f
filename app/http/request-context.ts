import { createContext } from "react-router";

/** Data of one request; nothing that outlives it. */
export type RequestInfo = {
  /** Identifies the request in logs, audit events and on error pages. */
  id: string;
  /** Content-Security-Policy nonce of the response. */
  nonce: string;
  /** The only clock for rules and writes. */
  now: () => Date;
  /** Starts work after the answer is sent, and keeps the isolate alive for it. */
  afterAnswer: (work: () => Promise<unknown>) => void;
  /**
   * IP address for rate limits, or the /64 network of an IPv6 address (`clientNetwork`). From `cf-connecting-ip` only,
   * because a client can forge every other header. Stored only as a hash.
   */
  limitedIpAddress: string | undefined;
  /**
   * IP address and user agent for sessions and audit events; undefined in a demonstration, which records no visitor.
   */
  clientIpAddress: string | undefined;
  userAgent: string | undefined;
  /** City and country, from Cloudflare. */
  location: string | undefined;
  /** The reader's time zone, such as "Africa/Nairobi" (`findTimeZone`). */
  timeZone: string | undefined;
  /** Other origins that a form of the page may lead to, which its loader adds. */
  formOrigins: string[];
  /** True when the request was sent to a loopback host. */
  isLoopback: boolean;
};

export const requestContext = createContext<RequestInfo>();
