import { constants } from 'node:os';
import { signalExit } from './exit-codes.js';

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

export type StopSignal = (typeof stopSignals)[number];

export function exitOfSignal(signal: StopSignal): number {
  return signalExit + constants.signals[signal];
}

/**
 * Calls `stop` with the first SIGTERM or SIGINT, until the function that it returns is called. A
 * second signal ends the process at once.
 */
export function onStopSignal(process: NodeJS.Process, stop: (signal: StopSignal) => void) {
  let isStopping = false;
  const removals = stopSignals.map((signal) => {
    const hear = () => {
      if (isStopping) process.exit(exitOfSignal(signal));
      isStopping = true;
      stop(signal);
    };
    process.on(signal, hear);
    return () => process.off(signal, hear);
  });
  return () => {
    for (const remove of removals) remove();
  };
}

/** Milliseconds between two checks of the parent process. */
const look = 250;

/**
 * Resolves with the signal when the process is told to stop: at the first SIGTERM or SIGINT, or
 * when the `npm start` above it has ended, which passes a SIGTERM on to its shell alone.
 */
export function toldToStop(process: NodeJS.Process): Promise<StopSignal> {
  return new Promise((resolve) => {
    onStopSignal(process, resolve);
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const { ppid } = process;
    const timer = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(timer);
      resolve('SIGTERM');
    }, look);
    timer.unref();
  });
}
