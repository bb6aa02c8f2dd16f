import bars from 'cli-progress';

/** Makes a bar on a terminal's stderr; `total` is how many bytes come, where that is known. */
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
      // interrupting is ours, and a terminal is to be left as it was found, however we end
      gracefulExit: false,
      linewrap: true,
    },
    bars.Presets.legacy,
  );
  return {
    /** How far it is, in bytes; with the first ones the bar is drawn. */
    at(bytes: number, note = ''): void {
      if (!isShown || !stream.isTTY) return;
      if (!isDrawn) bar.start(total ?? 0, bytes, { note });
      isDrawn = true;
      bar.update(bytes, { note });
    },
    /** Writes a line above the bar. */
    print: (line: string) => void stream.write(`${isDrawn ? '\r\u001b[K' : ''}${line}\n`),
    /** Takes the bar away. */
    stop(): void {
      if (isDrawn) bar.stop();
      isDrawn = false;
    },
  };
}

/** A number of bytes as people read it. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
