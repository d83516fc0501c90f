/**
 * Streams a text piece by piece. The next piece is made when the previous one is sent. When a piece throws, `onFailure`
 * is called and the connection is cut, so that the client does not take the part for the whole.
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
        // Not the error itself: the runtime logs this one, and a failed query's message contains its parameters.
        controller.error(new Error("The download broke off"));
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
