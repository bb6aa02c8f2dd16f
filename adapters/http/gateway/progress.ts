/**
 * Gives the receiver of a content `timeout` milliseconds for each piece and for its response. The
 * time that the sender takes for a piece does not count: a slow line does not fail an upload.
 * `signal` is aborted if the receiver takes longer, and `stop` ends the watch.
 */
export function watchProgress(pieces: AsyncIterable<Uint8Array>, timeout: number) {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const rest = () => clearTimeout(timer);
  const wait = () => {
    rest();
    if (!isOver)
      timer = setTimeout(() => control.abort(`no progress within ${timeout} ms`), timeout);
  };
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      rest();
      for await (const piece of pieces) {
        wait();
        yield piece;
        rest();
      }
    } finally {
      wait();
    }
  }
  wait();
  return {
    content: content(),
    signal: control.signal,
    stop() {
      isOver = true;
      rest();
    },
  };
}
