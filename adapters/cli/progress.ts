import bars from 'cli-progress';

/** Makes a bar on a terminal's stderr; `total` is the number of bytes, if it is known. */
export function createProgress(
  { stderr: stream }: NodeJS.Process,
  isShown: boolean,
  total?: number,
) {
  let isDrawn = false;
  const bar = new bars.SingleBar(
    {
      stream,
      format: (options, { value, progress }, { note }: { readonly note: string }) =>
        [
          total === undefined
            ? sizeText(value)
            : `[${bars.Format.BarFormat(progress, options)}] ${Math.floor(progress * 100)}%  ${sizeText(value)} of ${sizeText(total)}`,
          note,
        ].join('  '),
      barsize: 30,
      clearOnComplete: true,
      // we handle interrupts, and restore the terminal at any end
      gracefulExit: false,
      linewrap: true,
    },
    bars.Presets.legacy,
  );
  return {
    /** Sets the progress in bytes; the first call draws the bar. */
    at(bytes: number, note = ''): void {
      if (!isShown || !stream.isTTY) return;
      if (!isDrawn) bar.start(total ?? 0, bytes, { note });
      isDrawn = true;
      bar.update(bytes, { note });
    },
    /** Writes a line above the bar. */
    print: (line: string) => void stream.write(`${isDrawn ? '\r\u001b[K' : ''}${line}\n`),
    /** Removes the bar. */
    stop(): void {
      if (isDrawn) bar.stop();
      isDrawn = false;
    },
  };
}

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
