import bars from 'cli-progress';

/** A bar of progress on a terminal, or nothing at all where there is none. */
export interface Progress {
  /** How far it is, in bytes. */
  at(bytes: number, note?: string): void;
  /** Writes a line above the bar. */
  print(line: string): void;
  /** Takes the bar away. */
  stop(): void;
}

/**
 * Makes a bar on stderr; it is drawn with the first bytes. `total` is how many bytes come, where that
 * is known: nobody knows of a pipe.
 */
export function createProgress(
  { stderr: stream }: NodeJS.Process,
  isShown: boolean,
  total?: number,
): Progress {
  if (!isShown || !stream.isTTY) {
    return { at: () => {}, print: (line) => void stream.write(`${line}\n`), stop: () => {} };
  }
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
  let isDrawn = false;
  return {
    at: (bytes, note = '') => {
      if (!isDrawn) bar.start(total ?? 0, bytes, { note });
      isDrawn = true;
      bar.update(bytes, { note });
    },
    print: (line) => void stream.write(`${isDrawn ? '\r\u001b[K' : ''}${line}\n`),
    stop: () => {
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
