import { createContext } from "react-router";

/** What belongs to one request and to nothing that outlives it. */
export type RequestInfo = {
  /** Names the request in logs, audit rows and on error pages. */
  id: string;
  /** Content-Security-Policy nonce of the answer. */
  nonce: string;
  /** The one clock of rules and writes. */
  now: () => Date;
  /** Begins work once the answer is on its way, and keeps the isolate alive for it. */
  afterAnswer: (work: () => Promise<unknown>) => void;
  /**
   * The IP address that limits count by, from `cf-connecting-ip` only: a client can write every other header itself.
   * Never stored as it stands.
   */
  limitedAddress: string | undefined;
  /** What sessions and audit rows record of the client; undefined in a demonstration, which records no visitor. */
  clientAddress: string | undefined;
  userAgent: string | undefined;
  /** City and country as the edge knows them. */
  place: string | undefined;
  /** Whether the request itself was addressed to this machine. */
  isLoopback: boolean;
};

export const requestContext = createContext<RequestInfo>();
