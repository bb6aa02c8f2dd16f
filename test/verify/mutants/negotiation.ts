import { details, offer, retelling, saying, swapping } from './life-deals.js';
import type { Mutant } from './mutant.js';
import { mutantsOf, ofProposal, type Row, set } from './terms-changes.js';

const expiry = 'deal.expires_soon';
const operator = /^GET \/operator\/[^/]+\/deal\/[^/]+\/$/;

const later = (value: unknown) =>
  typeof value === 'string' ? new Date(Date.parse(value) + 3_600_000).toISOString() : value;
const anHourLater = saying(details, 'expires_at', later);

/** A notice is told once for all. */
const once = retelling((all) => {
  const first = all.findIndex(({ type }) => type === expiry);
  return all.filter(({ type }, at) => type !== expiry || at === first);
});

const ofNegotiation: readonly Row[] = [
  ['10.14/offer/amended', 'an amended offer ends later', anHourLater],
  ['10.14/offer/amended-notice', 'an amended offer ends silently', once],
  [
    '10.14/offer/held',
    'an offer ends while it is negotiated',
    swapping(details, 'status', 'created', 'expired'),
  ],
  ['10.14/offer/held-end', 'the partner does not see it', anHourLater],
  ['10.14/offer/held-end', 'the freelancer sees none', saying(offer, 'expires_at', () => null)],
  ['10.14/offer/held-end', 'the operator sees another', saying(operator, 'expires_at', later)],
  [
    '10.14/offer/not-held',
    'every proposal moves the end',
    set(details, ({ proposal, expires_at }) =>
      proposal === null ? {} : { expires_at: later(expires_at) },
    ),
  ],
  ['10.14/offer/decided', 'a decided proposal leaves more days', anHourLater],
  ['10.14/offer/expired', 'an expired proposal leaves more days', anHourLater],
  [
    '10.14/offer/ends',
    'an offer that was negotiated stays',
    swapping(details, 'status', 'expired', 'created'),
  ],
  ['10.15/views/due-at', 'the freelancer sees none', saying(offer, 'due_at', () => null)],
  [
    '10.15/views/due-at',
    'a moment is a day',
    saying(details, 'due_at', (at) => (typeof at === 'string' ? at.slice(0, 10) : at)),
  ],
  [
    '10.16/proposal/moved',
    'work leaves proposals open',
    swapping(ofProposal, 'status', 'superseded', 'open'),
  ],
  [
    '10.16/proposal/not-moved',
    'work ends every proposal',
    swapping(ofProposal, 'status', 'open', 'superseded'),
  ],
];

export const mutants: readonly Mutant[] = mutantsOf(ofNegotiation);
