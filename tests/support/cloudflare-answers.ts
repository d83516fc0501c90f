type Binding = { name: string; type: string; id?: string; bucket_name?: string; text?: string };
type Version = { id: string; bindings: Binding[]; upload: Buffer };

/** A deployed worker, with what the calls made of it. */
export type Worker = {
  versions: Version[];
  /** Version ids, the newest deployment first. */
  deployments: { id: string; versionId: string }[];
  secrets: Map<string, string>;
  domains: string[];
  crons: string[];
  isOnWorkersDev: boolean;
  hasPreviews: boolean;
};

/** What a request is answered with; a refusal has Cloudflare's error code. */
export type Answer = { result: unknown } | { status: number; code: number; message: string };

/** A request, with the parts of its path that a route names. */
export type Call = {
  method: string;
  path: string;
  body: Buffer;
  contentType: string;
  params: string[];
};

export function newWorker(): Worker {
  return {
    versions: [],
    deployments: [],
    secrets: new Map(),
    domains: [],
    crons: [],
    isOnWorkersDev: false,
    hasPreviews: false,
  };
}

export function on(path: string) {
  return new RegExp(`^${path}$`);
}

export function ok(result: unknown): Answer {
  return { result };
}

export function refuse(status: number, code: number, message: string) {
  return { status, code, message };
}

/** Reads the part "metadata" of a worker's upload. */
export function readMetadata(
  body: Buffer,
  contentType: string,
): { bindings?: Binding[]; limits?: { cpu_ms?: number } } {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? "";
  const part = body
    .toString("latin1")
    .split(`--${boundary}`)
    .find((each) => each.includes('name="metadata"'));
  return JSON.parse(Buffer.from(part?.split("\r\n\r\n")[1] ?? "{}", "latin1").toString("utf8"));
}
