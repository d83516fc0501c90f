// The part of oidc-provider that tests/support/oidc.ts uses; the package ships no types.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export type Context = {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      result?: { login?: object };
    };
  };

  export type Adapter = {
    upsert: (id: string, payload: Payload, expiresInSeconds: number) => Promise<void>;
    find: (id: string) => Promise<Payload | undefined>;
    findByUid: (uid: string) => Promise<Payload | undefined>;
    findByUserCode: (code: string) => Promise<Payload | undefined>;
    consume: (id: string) => Promise<void>;
    destroy: (id: string) => Promise<void>;
    revokeByGrantId: (grantId: string) => Promise<void>;
  };

  export type Payload = Record<string, unknown>;

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    readonly Grant: new (properties: {
      accountId: string;
      clientId: string;
    }) => {
      addOIDCScope: (scope: string) => void;
      save: () => Promise<string>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } } | { error: string; error_description: string },
    ): Promise<void>;
  }

  export namespace interactionPolicy {
    class Check {
      constructor(
        reason: string,
        description: string,
        check: (context: Context) => boolean | Promise<boolean>,
      );
      static REQUEST_PROMPT: true;
      static NO_NEED_TO_PROMPT: false;
    }
    function base(): {
      get: (prompt: string) => { checks: { add: (check: Check) => void } };
      remove: (prompt: string) => void;
    };
  }
}
