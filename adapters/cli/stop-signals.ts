const numbers = { SIGINT: 2, SIGTERM: 15 } as const;

/** Milliseconds between two looks at who the parent is. */
const look = 250;

/**
 * Resolves when the process is told to stop: at the first SIGTERM or SIGINT, or when the `npm start`
 * that it runs under is gone, which passes a signal on to its shell alone. A second signal ends the
 * process at once.
 */
export function toldToStop(process: NodeJS.Process): Promise<void> {
  return new Promise((resolve) => {
    let heard = false;
    const hear = () => {
      heard = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (heard) process.exit(128 + numbers[signal]);
        hear();
      });
    }
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const { ppid } = process;
    const timer = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(timer);
      hear();
    }, look);
    timer.unref();
  });
}
