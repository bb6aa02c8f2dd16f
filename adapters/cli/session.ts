import { setMaxListeners } from 'node:events';
import { createClient, type FetchLike } from 'dealwright/client';
import { exitOf, type Failure, failureData, failureLines, isSilence } from './describe-failure.js';
import { usageExit } from './exit-codes.js';
import { printable, printableJson } from './printable.js';
import { parseServiceSettings, type ServiceFlags } from './service-settings.js';
import { exitOfSignal, onStopSignal, type StopSignal } from './stop-signals.js';

/** What a command that asks a service works with. */
export interface Session {
  readonly api: ReturnType<typeof createClient>;
  /** Where the service is; nothing secret is in it. */
  readonly baseUrl: string;
  readonly language: 'en' | 'pl';
  /** What every call is made with. */
  readonly call: { readonly signal: AbortSignal };
  /** Aborted when the process is told to stop. */
  readonly stop: AbortSignal;
  /** Calls off what is in flight. */
  abort(): void;
  /** Writes to stdout; `false` once nobody reads it any more. */
  write(text: string): Promise<boolean>;
  /** Writes a value to stdout as JSON where that is asked for, or else the text. */
  show(value: unknown, text: () => string): Promise<boolean>;
  /** Tells what is wrong with how the command was given, and answers the exit code. */
  complain(...problems: readonly string[]): number;
  /** Tells of a failed call, and answers the exit code. */
  fail(failure: Failure): number;
  /** Columns of the terminal, where stdout is one. */
  readonly width: number | undefined;
  /** Whether a bar of progress is wanted. */
  readonly progress: boolean;
}

/**
 * Runs a command over a client. Told to stop, it calls off what is in flight, unless `isPatient`:
 * then the command decides. A second signal ends the process at once.
 */
export async function withSession(
  process: NodeJS.Process,
  flags: ServiceFlags,
  work: (session: Session) => Promise<number>,
  { isPatient = false }: { readonly isPatient?: boolean } = {},
): Promise<void> {
  const complain = (...problems: readonly string[]) => {
    for (const problem of problems) {
      process.stderr.write(
        flags.json === true
          ? `${printableJson({ error: { code: 'usage', message: problem } })}\n`
          : `dealwright: ${problem}\n`,
      );
    }
    return usageExit;
  };
  const settings = parseServiceSettings(process.env, flags);
  if (settings.isErr()) {
    process.exitCode = complain(...settings.error);
    return;
  }
  const calls = new AbortController();
  const stop = new AbortController();
  // each of the requests in flight listens, and there may be 64
  setMaxListeners(0, calls.signal);
  let stoppedBy: StopSignal | undefined;
  onStopSignal(process, (signal) => {
    stoppedBy = signal;
    stop.abort();
    if (!isPatient) calls.abort(signal);
  });
  const write = (text: string) =>
    new Promise<boolean>((resolve) => {
      process.stdout.write(text, (error) => resolve(!error));
    });
  const { baseUrl } = settings.value;
  const code = await work({
    baseUrl,
    api: createClient({ ...settings.value, fetch: sendWithoutCopy }),
    language: settings.value.language,
    call: { signal: calls.signal },
    stop: stop.signal,
    abort: () => calls.abort(stoppedBy),
    write,
    show: (value, text) => write(flags.json === true ? `${printableJson(value, 2)}\n` : text()),
    complain,
    fail: (failure) => {
      const [line = '', ...issues] = failureLines(failure);
      const url = isSilence(failure) ? baseUrl : undefined;
      const told =
        url !== undefined
          ? `${line}: nobody answered at ${printable(url)}`
          : failure.code === 'unauthorized'
            ? `${printable(baseUrl)} does not know the token of ${flags.tokenFile === undefined ? 'DEALWRIGHT_TOKEN' : '--token-file'} (unauthorized)`
            : line;
      process.stderr.write(
        flags.json === true
          ? `${printableJson({ error: { ...failureData(failure), url } })}\n`
          : `dealwright: ${[told, ...issues].join('\n')}\n`,
      );
      return exitOf(failure);
    },
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    progress: flags.json !== true && flags.quiet !== true,
  });
  process.exitCode =
    stoppedBy !== undefined && code === exitOfSignal('SIGINT') ? exitOfSignal(stoppedBy) : code;
}

/**
 * Node's fetch keeps a copy of a stream that it sends until the answer is there, to be able to follow
 * a redirect, unless redirects are errors and there is no window. None is followed in any case.
 */
const sendWithoutCopy: FetchLike = (url, request) =>
  globalThis.fetch(
    url,
    typeof request.body === 'object' ? { ...request, redirect: 'error', window: null } : request,
  );
