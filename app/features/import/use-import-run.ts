import { useEffect, useRef, useState } from "react";
import { useFetcher, useLocation, useRevalidator } from "react-router";
import {
  type CheckedMessage,
  type MessageReference,
  messageReference,
} from "../../ui/text/message.tsx";
import { type ImportAnswer, NO_ANSWER } from "./import-answer.ts";
import type { OpenImport } from "./import-page.server.ts";
import { IMPORT_LINES_AT_ONCE, MAX_FILE_BYTES, MAX_LINES, PIECE_CHARACTERS } from "./limits.ts";
import { problemMessage } from "./problem-message.ts";
import { type Line, readLines } from "./read-rows.ts";

/** What a run waits for: an answer, the last answer before a stop, or "Continue" after a stop or a lost answer. */
type Pace = "running" | "stopping" | "stopped" | "broken";

type Reading = { bytes: number; size: number; lines: number };

/** Bytes of a file that are read at a time. */
const READ_BYTES = 65_536;

/**
 * Sends a file's lines, and makes the users of an import, step by step: with progress, with stop and "Continue", and again
 * where a step got no answer. Each step can be sent twice without being made twice. A run ends with its screen.
 */
export function useImportRun(loaded: OpenImport | undefined) {
  const send = useSend();
  const { revalidate } = useRevalidator();
  const [pace, setPace] = useState<Pace>();
  const [reading, setReading] = useState<Reading>();
  const [error, setError] = useState<MessageReference>();
  const [live, setLive] = useState<OpenImport>();
  const goOnWith = useRef<() => void>(undefined);
  const isStopped = useRef(false);
  const isNewer = live !== undefined && live.id === loaded?.id && live.done > loaded.done;
  const open = isNewer ? live : loaded;
  const wasStarted = useRef(Boolean(loaded?.startedAt));

  function goOn() {
    isStopped.current = false;
    setPace("running");
    goOnWith.current?.();
  }

  function pause(how: Pace): Promise<void> {
    setPace(how);
    return new Promise((resolve) => {
      goOnWith.current = resolve;
    });
  }

  /** Sends a step, and again as often as it takes. Returns its answer, or undefined when it was refused or redirected. */
  async function step(fields: Record<string, string>) {
    for (;;) {
      if (isStopped.current) await pause("stopped");
      const answer = await send(fields);
      if (!answer || "open" in answer) return answer;
      const [refusal] = answer.errors[""] ?? [];
      if (refusal !== NO_ANSWER) {
        setError(refusal);
        return undefined;
      }
      await pause("broken");
    }
  }

  function end() {
    setPace(undefined);
    setReading(undefined);
    return revalidate();
  }

  async function read(file: Blob) {
    setError(undefined);
    if (file.size > MAX_FILE_BYTES) return setError("import:problem.tooLarge");
    isStopped.current = false;
    setPace("running");
    setReading({ bytes: 0, size: file.size, lines: 0 });
    const problem = await sendFile(file, step, setReading);
    if (problem) setError(problem);
    await end();
  }

  async function importAll(id: string) {
    setError(undefined);
    isStopped.current = false;
    setPace("running");
    for (;;) {
      const answer = await step({ intent: "import-next", import: id });
      setLive(answer?.open);
      if (!answer?.open || answer.open.finishedAt) return end();
    }
  }

  // Outside React: the requests. A started import goes on by itself only where it was started, not after a reload.
  const isStartedNow = Boolean(open?.startedAt) && !open?.finishedAt && !wasStarted.current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins once, when the import has started
  useEffect(() => {
    wasStarted.current = Boolean(open?.startedAt);
    if (isStartedNow && open) void importAll(open.id);
  }, [isStartedNow, open?.id]);

  return {
    open,
    pace,
    reading,
    error,
    read,
    stop() {
      isStopped.current = true;
      setPace("stopping");
    },
    goOn: () => (pace ? goOn() : open && void importAll(open.id)),
  };
}

/** Sends the lines of a file in pieces. Returns what is wrong with the file as a whole. */
async function sendFile(
  file: Blob,
  step: (fields: Record<string, string>) => Promise<object | undefined>,
  onProgress: (reading: Reading) => void,
): Promise<CheckedMessage | undefined> {
  const id = crypto.randomUUID();
  let waiting: Line[] = [];
  let position = 0;
  let lines = 0;
  let bytes = 0;

  async function* chunks() {
    for (let from = 0; from < file.size; from += READ_BYTES) {
      const chunk = await file.slice(from, from + READ_BYTES).arrayBuffer();
      bytes = from + chunk.byteLength;
      yield new Uint8Array(chunk);
    }
  }

  async function sendPiece(isLast: boolean): Promise<boolean> {
    const size = sizeOfPiece(waiting);
    const piece = waiting.slice(0, size);
    waiting = waiting.slice(size);
    const isEnd = isLast && waiting.length === 0;
    const fields = { import: id, position: String(position), lines: JSON.stringify(piece) };
    const answer = await step({
      ...{ intent: "read-lines", ...fields },
      ...(isEnd && { isLast: "yes" }),
    });
    position += 1;
    lines += piece.length;
    onProgress({ bytes, size: file.size, lines });
    return answer !== undefined;
  }

  for await (const read of readLines(chunks())) {
    if (read.problem) return problemMessage(read);
    waiting.push(...read.lines);
    // One more for a header.
    if (lines + waiting.length > MAX_LINES + 1) {
      return messageReference("import:problem.tooMany", { maximum: MAX_LINES });
    }
    while (waiting.length > IMPORT_LINES_AT_ONCE) {
      if (!(await sendPiece(false))) return undefined;
    }
  }
  if (lines + waiting.length === 0) return "import:problem.empty";
  while (waiting.length > 0) {
    if (!(await sendPiece(true))) return undefined;
  }
  return undefined;
}

/** Returns how many of the first lines fit into one request; at least one. */
function sizeOfPiece(lines: readonly Line[]): number {
  let characters = 0;
  const end = lines.findIndex((line) => {
    characters += JSON.stringify(line).length;
    return characters > PIECE_CHARACTERS;
  });
  return Math.min(end === -1 ? lines.length : Math.max(1, end), IMPORT_LINES_AT_ONCE);
}

/** Returns a function that posts fields to the screen's action and resolves with the answer; undefined for a redirect. */
function useSend() {
  const { state, data, submit } = useFetcher<ImportAnswer>();
  const { pathname } = useLocation();
  const resolve = useRef<(answer: ImportAnswer | undefined) => void>(undefined);
  const seen = useRef<{ data?: ImportAnswer; isSending: boolean }>({ isSending: false });

  // Outside React: the code that waits for the answer. After a redirect the earlier answer is still there.
  useEffect(() => {
    const { data: earlier, isSending } = seen.current;
    const isNew = data !== earlier;
    seen.current = { data, isSending: state !== "idle" };
    if (state === "idle" && (isSending || isNew)) resolve.current?.(isNew ? data : undefined);
  }, [state, data]);

  return (fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return new Promise<ImportAnswer | undefined>((done) => {
      resolve.current = done;
      void submit(body, {
        ...{ method: "post", encType: "multipart/form-data", action: pathname },
        defaultShouldRevalidate: false,
      });
    });
  };
}
