import type { ContractorInput, DealInput, DealV2Input } from 'dealwright';
import {
  createClient,
  createFreelancerClient,
  createOperatorClient,
  createSandboxClient,
  type FetchLike,
} from 'dealwright/client';
import type { Result } from 'neverthrow';
import { exitOf, type Failure, failureData, failureLines, isSilence } from './describe-failure.js';
import type { BodyKind, Flags } from './fields.js';
import { createProgress, printable, printableJson } from './output.js';
import { causeText, complain, failedExit, say, usageExit } from './problem.js';
import { parseServiceSettings, type ServiceSettings, type TokenName } from './settings.js';
import { exitOfSignal, onStopSignal } from './shutdown.js';

/** The session of a command that calls a service. */
export type Session = ReturnType<typeof openSession>;

/**
 * Runs a command over a client, and returns its exit code. When told to stop, it aborts the signal
 * of the command; a second signal ends the process at once.
 */
export async function withSession(
  process: NodeJS.Process,
  flags: Flags,
  tokenName: TokenName,
  work: (session: Session) => Promise<number>,
): Promise<number> {
  const settings = parseServiceSettings(process.env, flags, tokenName);
  if (settings.isErr()) return complainAs(process, flags, ...settings.error);
  const stop = new AbortController();
  const { signal } = stop;
  onStopSignal(process, (name) => stop.abort(name));
  const code = await work(openSession(process, flags, settings.value, tokenName, signal));
  const isStopped = signal.aborted && code === exitOfSignal('SIGINT');
  return isStopped ? exitOfSignal(signal.reason) : code;
}

function openSession(
  process: NodeJS.Process,
  flags: Flags,
  settings: ServiceSettings,
  tokenName: TokenName,
  signal: AbortSignal,
) {
  const { baseUrl, language } = settings;
  const { idempotencyKey } = flags;
  const isJson = flags.json === true;
  const options = { ...settings, fetch: sendWithoutCopy };
  const api = createClient(options);
  const { stdout, stderr } = process;
  /** Writes to stdout; `false` once its reader has ended. */
  const write = (text: string | Uint8Array) =>
    new Promise<boolean>((resolve) => {
      stdout.write(text, (error) => resolve(!error));
    });
  /** Writes a value to stdout as JSON if that is asked for, or else the text. */
  const show = (value: unknown, text: () => string) =>
    write(isJson ? `${printableJson(value, 2)}\n` : text());
  const fail = (failure: Failure) => {
    const [line = '', ...issues] = failureLines(failure);
    const url = isSilence(failure) ? baseUrl : undefined;
    let told = line;
    if (url !== undefined) told = `${line}: no server answered at ${printable(url)}`;
    else if (failure.code === 'unauthorized') {
      const source = flags.tokenFile === undefined ? tokenName : '--token-file';
      told = `${printable(baseUrl)} does not know the token of ${source} (unauthorized)`;
    }
    stderr.write(
      isJson
        ? `${printableJson({ error: { ...failureData(failure), url } })}\n`
        : `dealwright: ${[told, ...issues].join('\n')}\n`,
    );
    return exitOf(failure);
  };
  return {
    process,
    flags,
    api,
    /** The client of the operator, for the commands that send its token. */
    operator: () => createOperatorClient(options),
    /** The client of a freelancer, for the commands that send a payment token. */
    offer: () => createFreelancerClient({ ...options, payment_token: options.token }),
    /** The client of the sandbox. */
    sandbox: () => createSandboxClient(options),
    /** The address of the service; it contains no secret. */
    baseUrl,
    language,
    /** The options of every call: it is cancelled when the process is told to stop. */
    call: { signal, language, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
    width: stdout.isTTY ? stdout.columns : undefined,
    write,
    show,
    fail,
    /** Prints why a content ended early, and returns the exit code. */
    breakOff(cause: unknown) {
      const code = signal.aborted ? 'aborted' : 'unavailable';
      const message = signal.aborted ? 'interrupted' : `it broke off: ${causeText(cause)}`;
      if (isJson) stderr.write(`${printableJson({ error: { code, message } })}\n`);
      else say(process, message);
      return signal.aborted ? exitOfSignal('SIGINT') : failedExit;
    },
    /** Prints the problem of the command line, and returns the exit code. */
    complain: (problem: string) => complainAs(process, flags, problem),
    /** Prints the result of a call, or why it failed, and returns the exit code. */
    async answer<T extends object>(result: Result<T, Failure>, text: (value: T) => string) {
      if (result.isErr()) return fail(result.error);
      await show(result.value, () => text(result.value));
      return 0;
    },
    async create(
      kind: BodyKind,
      body: unknown,
      call: Parameters<typeof api.createDeal>[1],
    ): Promise<Result<object, Failure>> {
      const creates = {
        contractor: () => api.registerContractor(body as ContractorInput, call),
        deal: () => api.createDeal(body as DealInput, call),
        deal_v2: () => api.createDealV2(body as DealV2Input, call),
      };
      return creates[kind]();
    },
    /** A progress bar, if one is wanted; `total` is the number of bytes. */
    createProgress: (total: number | undefined) =>
      createProgress(process, !isJson && flags.quiet !== true, total),
  };
}

function complainAs(process: NodeJS.Process, flags: Flags, ...problems: readonly string[]): number {
  if (flags.json !== true) return complain(process, ...problems);
  for (const message of problems) {
    process.stderr.write(`${printableJson({ error: { code: 'usage', message } })}\n`);
  }
  return usageExit;
}

/**
 * Node's fetch keeps a copy of a sent stream until the answer comes, to be able to follow a
 * redirect, unless redirects are errors and there is no window. Redirects are never followed here.
 */
const sendWithoutCopy: FetchLike = (url, request) =>
  globalThis.fetch(
    url,
    typeof request.body === 'object' ? { ...request, redirect: 'error', window: null } : request,
  );
