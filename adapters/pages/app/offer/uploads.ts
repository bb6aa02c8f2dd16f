import { type Signal, signal } from '@preact/signals';
import { failureOf, words as sharedWords } from '../base/failure.js';
import { size } from '../base/format.js';
import { createSendingFetch } from '../base/sending-fetch.js';
import { announce } from '../base/shell.js';
import { clientOf, inLanguage, load, offer } from './deal.js';
import { words } from './words.js';

/** A file on its way. */
export interface Upload {
  /** Its own, whatever its name. */
  readonly number: number;
  readonly file: File;
  readonly stage_id: number;
  readonly state: Signal<'waiting' | 'sending' | 'failed'>;
  /** Bytes. */
  readonly sent: Signal<number>;
  readonly failure: Signal<string>;
  readonly controller: AbortController;
}

export const uploads = signal<readonly Upload[]>([]);

let taken = 0;

/** Takes files for a stage. They are sent one after the other: a phone's line is slow. */
export function addFiles(stage_id: number, files: Iterable<File>): void {
  const limit = offer.value?.max_file_size ?? Number.POSITIVE_INFINITY;
  const added = [...files].map((file): Upload => {
    const failure =
      file.size > limit
        ? sharedWords().failures.tooLarge(size(limit))
        : file.size === 0
          ? words().files.empty
          : '';
    taken += 1;
    return {
      number: taken,
      file,
      stage_id,
      state: signal(failure === '' ? 'waiting' : 'failed'),
      sent: signal(0),
      failure: signal(failure),
      controller: new AbortController(),
    };
  });
  uploads.value = [...uploads.value, ...added];
  for (const { failure } of added) if (failure.value !== '') announce(failure.value);
  void sendNext();
}

/** Takes a file out of the list; one that is being sent is not sent on. */
export function removeUpload(upload: Upload): void {
  upload.controller.abort();
  uploads.value = uploads.value.filter((each) => each !== upload);
}

/** Sends a file that failed once more. */
export function sendAgain(upload: Upload): void {
  removeUpload(upload);
  addFiles(upload.stage_id, [upload.file]);
}

async function sendNext(): Promise<void> {
  const all = uploads.value;
  const next = all.find(({ state }) => state.value === 'waiting');
  if (next === undefined || all.some(({ state }) => state.value === 'sending')) return;
  next.state.value = 'sending';
  const { file, stage_id, controller } = next;
  const tell = (sent: number) => {
    // the form around the file is sent, too
    next.sent.value = Math.min(sent, file.size);
  };
  const stored = await clientOf({ fetch: createSendingFetch(tell) })?.uploadFile(
    {
      ...{ stage_id, name: file.name, content: file },
      ...(file.type !== '' && { content_type: file.type }),
    },
    { ...inLanguage(), signal: controller.signal },
  );
  if (stored === undefined) return;
  if (stored.isOk()) {
    removeUpload(next);
    await load();
    announce(words().files.stored(file.name));
  } else {
    next.failure.value = failureOf(stored.error).message;
    next.state.value = 'failed';
    if (uploads.value.includes(next)) announce(`${file.name}: ${next.failure.value}`);
    // it may have been stored nevertheless, and would be delivered unseen
    await load();
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
