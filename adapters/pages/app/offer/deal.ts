import { batch, signal } from '@preact/signals';
import type { FreelancerEvent, FreelancerView, WorkFile } from 'dealwright';
import { createFreelancerClient, type FreelancerClient } from 'dealwright/client';
import type { ResultAsync } from 'neverthrow';
import { dropDrafts } from '../base/drafts.js';
import { type CallError, type Failure, failureOf } from '../base/failure.js';
import { readEvents } from '../base/history.js';
import { inLanguage, suggestLanguage } from '../base/language.js';
import { saveFile } from '../base/save.js';
import { announce, focusOn, keepFocus } from '../base/shell.js';
import type { Target } from '../base/uploads.js';
import type { Offer } from './offer.js';
import { takeToken } from './token.js';
import { words } from './words.js';

/** Why there is no deal to show. */
export type Trouble =
  | { readonly kind: 'missing' | 'unknown' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export const offer = signal<Offer | undefined>(undefined);
export const events = signal<readonly FreelancerEvent[]>([]);
export const trouble = signal<Trouble | undefined>(undefined);
/** What went wrong with the page as a whole while a deal is shown. */
export const notice = signal<Failure | undefined>(undefined);

export type DialogName =
  | 'accept'
  | 'decline'
  | 'dispute'
  | 'propose'
  | 'settle'
  | 'acceptProposal'
  | 'rejectProposal'
  | 'withdrawProposal';

/** The dialog that is open. */
export const opened = signal<DialogName | undefined>(undefined);

/** The pages lie below the path of the service. */
const baseUrl = new URL('..', location.href).href;

const token = takeToken();
export const client = token === undefined ? undefined : clientOf({});

/** The client of this deal; with a `fetch` of its own for an upload. */
export function clientOf(
  more: Pick<Parameters<typeof createFreelancerClient>[0], 'fetch'>,
): FreelancerClient | undefined {
  try {
    return createFreelancerClient({ ...more, baseUrl, payment_token: token ?? '' });
  } catch {
    // a link that was cut off or changed on its way
    return undefined;
  }
}

/** The reads of the deal so far: an older one may end after a newer one. */
let reads = 0;

/** Reads the deal, and then its time line. After an own command, what is open is not outdated. */
export async function load(isOwn = false): Promise<void> {
  if (client === undefined) {
    trouble.value = { kind: token === undefined ? 'missing' : 'unknown' };
    return;
  }
  reads += 1;
  const read = reads;
  const happened = readEvents((query) => client.listEvents(query, inLanguage()));
  const seen = await client.view(inLanguage());
  if (read !== reads) return;
  if (seen.isErr()) return failed(seen.error);
  show(seen.value, isOwn);
  const all = await happened;
  if (read === reads && all !== undefined) events.value = all;
}

/** The same by a button, which may be gone then. */
export async function loadAgain(): Promise<void> {
  await load();
  keepFocus('next');
}

function show(next: FreelancerView, isOwn: boolean): void {
  const before = offer.value;
  // nobody may agree to terms that have changed below an open dialog
  const isOutdated =
    !isOwn &&
    opened.value !== undefined &&
    before !== undefined &&
    stateOf(before) !== stateOf(next);
  batch(() => {
    offer.value = next;
    trouble.value = undefined;
    notice.value = isOutdated ? failureOf({ code: 'illegal_transition' }) : undefined;
    if (isOutdated) opened.value = undefined;
  });
  if (isOutdated) focusOn('notice');
  suggestLanguage(next.freelancer_language ?? undefined);
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(next)) {
    announce(words().changed);
  }
}

/** What a dialog is about. */
const stateOf = ({ status, terms_sha256, proposal }: Offer) =>
  [status, terms_sha256, proposal?.id].join();

function failed(error: CallError): void {
  const failure = failureOf(error);
  if (failure.isUnknown) trouble.value = { kind: 'unknown' };
  // what is shown stays: it can still be read
  else if (offer.value !== undefined) notice.value = failure;
  else trouble.value = { kind: 'failed', failure };
}

/** A call of the client that changes something. */
export type Called = (client: FreelancerClient) => ResultAsync<unknown, CallError>;

/**
 * Gives a command, and shows the deal as it is after it. What was typed into the form is forgotten
 * only if the command was taken.
 */
export async function give(form: string, done: string, call: Called): Promise<Failure | undefined> {
  if (client === undefined) return undefined;
  const result = await call(client);
  if (result.isOk()) {
    dropDrafts(form);
    await load(true);
    announce(done);
    focusOn('next');
    return undefined;
  }
  const failure = failureOf(result.error);
  if (failure.isUnknown) {
    trouble.value = { kind: 'unknown' };
    focusOn('next');
  }
  if (failure.isMoved) {
    await load(true);
    notice.value = failure;
    focusOn('notice');
  }
  return failure;
}

/** Saves a file. */
export async function download({ id, name }: WorkFile): Promise<Failure | undefined> {
  const found = await client?.downloadFile(id, inLanguage());
  return found && saveFile(name, found);
}

/** Where files of this deal go. */
export const target = (): Target => ({
  limit: offer.value?.max_file_size,
  send: (fetch, upload, options) => clientOf({ fetch })?.uploadFile(upload, options),
  load,
});
