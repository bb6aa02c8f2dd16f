import { type Signal, signal } from '@preact/signals';
import type { ClientFileUpload, ClientUploadOptions, FetchLike } from 'dealwright/client';
import type { ResultAsync } from 'neverthrow';
import { type CallError, type Failure, failureOf, words } from './failure.js';
import { inLanguage } from './language.js';
import { createSendingFetch } from './sending-fetch.js';
import { announce, focusOn } from './shell.js';

export interface Target {
  /** Bytes that a file may have, if that is known. */
  readonly limit?: number | undefined;
  readonly send: (
    fetch: FetchLike,
    upload: ClientFileUpload,
    options: ClientUploadOptions,
  ) => ResultAsync<unknown, CallError> | undefined;
  /** Shows the deal as it is now. */
  readonly load: () => Promise<void>;
}

/** A file on its way. */
export interface Upload {
  /** Its own, whatever its name. */
  readonly number: number;
  readonly file: File;
  readonly target: Target;
  readonly stage_id: number;
  readonly state: Signal<'waiting' | 'sending' | 'failed'>;
  readonly sent: Signal<number>;
  readonly failure: Signal<Failure | undefined>;
  readonly controller: AbortController;
  /** Sent again, it is not stored again. */
  readonly idempotencyKey: string;
}

export const uploads = signal<readonly Upload[]>([]);

/** Whether files of some of these stages are not stored yet. */
export const areSending = (stages: readonly { readonly id: number }[]): boolean =>
  uploads.value.some(({ stage_id }) => stages.some(({ id }) => id === stage_id));

let taken = 0;

/** Takes files for a stage. They are sent one after the other: a phone's line is slow. */
export function addFiles(target: Target, stage_id: number, files: Iterable<File>): void {
  const added = [...files].map((file): Upload => {
    const failure = refusalOf(file, target);
    taken += 1;
    return {
      number: taken,
      ...{ file, target, stage_id },
      state: signal(failure === undefined ? 'waiting' : 'failed'),
      sent: signal(0),
      failure: signal(failure),
      controller: new AbortController(),
      // not `randomUUID`: a service without TLS has none
      idempotencyKey: crypto.getRandomValues(new Uint32Array(4)).join('-'),
    };
  });
  uploads.value = [...uploads.value, ...added];
  for (const { failure } of added) if (failure.value) announce(failure.value.message);
  void sendNext();
}

/** Why a file need not be sent: the service would refuse it. */
function refusalOf({ size }: File, { limit: max_bytes }: Target): Failure | undefined {
  if (max_bytes !== undefined && size > max_bytes) {
    return failureOf({ code: 'payload_too_large', max_bytes });
  }
  return size > 0 ? undefined : failureOf({ code: 'precondition_failed', reason: 'empty_file' });
}

/** Takes a file out of the list; one that is being sent is not sent on. */
export function removeUpload(upload: Upload): void {
  const { controller, number, stage_id } = upload;
  const hadFocus = document.getElementById(rowOf(number))?.contains(document.activeElement);
  controller.abort();
  uploads.value = uploads.value.filter((each) => each !== upload);
  if (hadFocus) focusOn(fieldOf(stage_id));
}

/** The ids of the row of an upload, and of the field that takes files for a stage. */
export const rowOf = (number: number) => `upload-${number}`;
export const fieldOf = (stage_id: number) => `files-of-${stage_id}`;

/** Sends a file that failed once more. */
export function sendAgain({ state, file, target, failure, number }: Upload): void {
  failure.value = refusalOf(file, target);
  if (failure.value !== undefined) return;
  state.value = 'waiting';
  // its button is gone
  focusOn(rowOf(number));
  void sendNext();
}

async function sendNext(): Promise<void> {
  const all = uploads.value;
  const next = all.find(({ state }) => state.value === 'waiting');
  if (next === undefined || all.some(({ state }) => state.value === 'sending')) return;
  next.state.value = 'sending';
  const { file, target, stage_id, controller, idempotencyKey } = next;
  const tell = (sent: number) => {
    // the form around the file is sent, too
    next.sent.value = Math.min(sent, file.size);
  };
  const stored = await target.send(
    createSendingFetch(tell),
    {
      ...{ stage_id, name: file.name, content: file },
      ...(file.type !== '' && { content_type: file.type }),
    },
    // its `fetch` limits the silence, not the time
    { ...inLanguage(), idempotencyKey, signal: controller.signal, timeout: 2 ** 31 - 1 },
  );
  if (stored === undefined) return;
  if (stored.isOk()) {
    removeUpload(next);
    await target.load();
    announce(words().files.stored(file.name));
  } else {
    const failure = failureOf(stored.error);
    next.failure.value = failure;
    next.state.value = 'failed';
    if (uploads.value.includes(next)) announce(`${file.name}: ${failure.message}`);
    // it may have been stored nevertheless, and would be delivered unseen
    await target.load();
  }
  void sendNext();
}

/**
 * A reload would lose what is not sent: the browser asks first. And a file that is dropped beside
 * its box would be opened in place of the page.
 */
export function guardUploads(): void {
  for (const type of ['dragover', 'drop']) {
    addEventListener(type, (event) => event.preventDefault());
  }
  addEventListener('beforeunload', (event) => {
    if (uploads.value.some(({ state }) => state.value !== 'failed')) event.preventDefault();
  });
}
