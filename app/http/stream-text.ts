/**
 * Streams a text piece by piece: the next one is made when the one before has left. `onFailure` hears what a piece
 * throws; the connection is then broken off, so that nobody takes the part for the whole.
 */
export function streamText(
  pieces: AsyncGenerator<string>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onFailure(error);
        // Not the error itself: the runtime logs this one, and a failed query's message has its parameters in it.
        controller.error(new Error("The download broke off"));
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
