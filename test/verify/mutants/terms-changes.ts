import { billed } from './billings.js';
import { askedWith, refusal } from './changes.js';
import {
  bodied,
  details,
  editing,
  listOf,
  nameOf,
  playing,
  playingAt,
  refusing,
  type Tree,
  withBody,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

type Fetch = Mutant['fetch'];

/** A law, a mistake that it finds, and the mistake itself. */
export type Row = readonly [law: string, name: string, fetch: Fetch];

export const mutantsOf = (rows: readonly Row[], more: Partial<Mutant> = {}): readonly Mutant[] =>
  rows.map(([law, name, fetch]) => ({ law, name, fetch, ...more }));

export const proposing = /^POST \/.*\/proposal\/$/;
export const deciding = (decision = '[a-z]+') =>
  new RegExp(`^POST /.*/proposal/[^/]+/(${decision})/$`);
export const ofProposal = /^GET \/.*\/proposal\/[^/]+\/$/;
export const ofProposals = /^GET \/.*\/proposal\/$/;
export const ofTerms = /^GET \/.*\/terms\/$/;

/** What is refused is taken, by the look of the answer. */
export const takes = (fits: RegExp, status = 201, from = 409): Fetch =>
  refusing(fits, from, status, 'taken');

/** What is taken is refused. */
export const refuses = (fits: RegExp, from = 201, reason = 'terms_changed'): Fetch =>
  refusing(fits, from, 409, 'precondition_failed', { reason });

/** Changes the members of `changes`. */
export const proposed = (change: (changes: Tree, body: Tree) => object): Fetch =>
  bodied(proposing, (body) => ({ ...body, changes: change(Object(body['changes']), body) }));

/** Drops members of `changes`. */
export const dropping = (...names: readonly string[]): Fetch =>
  proposed((changes) =>
    Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name))),
  );

/** Changes each stage of `changes`. */
export const inStages = (change: (stage: Tree) => unknown): Fetch =>
  proposed((changes) =>
    Array.isArray(changes['stages'])
      ? { ...changes, stages: changes['stages'].map(change) }
      : changes,
  );

/** Changes the data of an answer once a request of another kind was sent; `count` of them. */
export function after(
  fits: RegExp,
  target: RegExp,
  change: (data: Tree, count: number) => void,
  counts = (_: Response) => true,
): Fetch {
  let count = 0;
  return playing(async (request, forward) => {
    const name = nameOf(request);
    if (target.test(name)) {
      return editing(target, (data) => count > 0 && change(data, count))(forward)(request);
    }
    const response = await forward(request);
    if (fits.test(name) && counts(response)) count += 1;
    return response;
  });
}

/** Answers each further request of a kind. */
export function secondTime(fits: RegExp, answer: () => Response): Fetch {
  let count = 0;
  return playingAt(fits, (request, forward) => {
    count += 1;
    return count > 1 ? answer() : forward(request);
  });
}

/** Takes away the key. */
export const keyless = (fits: RegExp): Fetch =>
  playingAt(fits, (request, forward) =>
    forward(askedWith(request, { 'idempotency-key': undefined })),
  );

/** Every key can be used once. */
export function usedUp(): Fetch {
  const used = new Set<string>();
  return playingAt(proposing, (request, forward) => {
    const key = request.headers.get('idempotency-key');
    if (key !== null && used.has(key)) return refusal(422, 'idempotency_key_reused');
    if (key !== null) used.add(key);
    return forward(request);
  });
}

/** Sends the hash that is asked for, whatever came. */
export function agreeing(fits: RegExp, placeOf: (path: string) => string): Fetch {
  return playingAt(fits, async (request, forward) => {
    const { origin, pathname } = new URL(request.url);
    const authorization = request.headers.get('authorization') ?? '';
    const place = new Request(origin + placeOf(pathname), { headers: { authorization } });
    const { data } = await (await forward(place)).json();
    const { terms_sha256 } = Object(data);
    return forward(await withBody(request, (body) => ({ ...body, terms_sha256 })));
  });
}

/** The same for the hash of an offer. */
export const offerAgreeing = (fits: RegExp): Fetch => agreeing(fits, () => '/api/2.0/offer/');

/** Changes the results of a list. */
export const listing = (fits: RegExp, change: (results: readonly Tree[]) => readonly Tree[]) =>
  editing(fits, (data) => {
    data['results'] = change(listOf(data, 'results'));
  });

/** Changes each payment of the employer from one status to another. */
export const asked = (from: string, to: string): Fetch =>
  billed((billing) => {
    for (const each of listOf(billing, 'employer_payments')) {
      if (each['status'] === from) each['status'] = to;
    }
  });

/** Moves each due date by some days. */
export const shifted = (days: number): Fetch =>
  editing(details, (data) => {
    for (const stage of listOf(data, 'stages')) {
      const { due_on } = stage;
      if (typeof due_on !== 'string') continue;
      const moved = new Date(Date.parse(due_on) + days * 24 * 60 * 60 * 1000);
      stage['due_on'] = moved.toISOString().slice(0, 10);
    }
  });

/** Changes each stage that details show. */
export const staged = (change: (stage: Tree, deal: Tree) => unknown): Fetch =>
  editing(details, (data) => {
    for (const stage of listOf(data, 'stages')) change(stage, data);
  });

/** Changes the members of an answer itself. */
export const set = (fits: RegExp, change: (data: Tree) => object): Fetch =>
  editing(fits, (data) => void Object.assign(data, change(data)));
