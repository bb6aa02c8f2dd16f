import { details, editing, inEvents, offer, retelling, saying, type Tree } from './life-deals.js';
import type { Mutant } from './mutant.js';
import { after, mutantsOf, type Row } from './terms-changes.js';

const byId = /^GET \/api\/1\.0\/deal\/\d+\/$/;
const operator = /^GET \/operator\/[^/]+\/deal\/[^/]+\/$/;
const clock = /\/sandbox\/clock\/$/;
const expiry = 'deal.expires_soon';
const review = 'deal.review_ends_soon';

const typeOf = ({ type }: Tree) => String(type);
const without = (type: string) => inEvents((event) => (typeOf(event) === type ? undefined : event));
const twice = (type: string) =>
  retelling((all) => all.flatMap((each) => (typeOf(each) === type ? [each, each] : [each])));
const once = (type: string) =>
  retelling((all) => {
    const first = all.findIndex((each) => typeOf(each) === type);
    return all.filter((each, at) => typeOf(each) !== type || at === first);
  });
const always = (type: string) =>
  retelling((all) => [...all, { type, actor: 'clock', data: { stage_ids: [] } }]);
/** An event comes behind all others. */
const last = (type: string) =>
  retelling((all) => [
    ...all.filter((each) => typeOf(each) !== type),
    ...all.filter((each) => typeOf(each) === type),
  ]);
const told = (type: string, change: (event: Tree) => Tree) =>
  inEvents((event) => (typeOf(event) === type ? change(event) : event));

/** A time becomes one that is an hour later, if there is one. */
const later = (value: unknown) =>
  typeof value === 'string' ? new Date(Date.parse(value) + 3_600_000).toISOString() : value;
const anyTime = (value: unknown) => value ?? '2027-01-01T00:00:00.000Z';
const anHourLater = (fits: RegExp, name: string) => saying(fits, name, later);
const dropped = (fits: RegExp, name: string) =>
  editing(fits, (data) => {
    delete data[name];
  });

const ofViews: readonly Row[] = [
  ['6.5/views/legal', 'the partner can always cancel', saying(details, 'legal', () => ['cancel'])],
  ['6.5/views/legal', 'the freelancer can do nothing', saying(offer, 'legal', () => [])],
  ['6.5/views/legal', 'legal is not of the operator', saying(operator, 'legal', () => ['accept'])],
  ['6.5/views/legal-v1', 'nothing is legal in version 1.0', saying(byId, 'legal', () => [])],
  [
    '6.5/views/legal-proposals',
    'an agreement can be proposed before anybody has accepted',
    saying(offer, 'legal_proposals', () => ['propose-amendment', 'propose-settlement']),
  ],
  [
    '6.5/views/legal-proposals',
    'the operator proposes',
    saying(operator, 'legal_proposals', () => ['propose-settlement']),
  ],
  [
    '6.5/views/legal-decisions',
    'both sides can accept',
    saying(details, 'legal_proposals', () => [
      ...['accept-proposal', 'propose-amendment', 'propose-settlement', 'reject-proposal'],
    ]),
  ],
  ['6.5/views/expires-at', 'it expires later', anHourLater(offer, 'expires_at')],
  ['6.5/views/expires-no-more', 'every deal expires', saying(operator, 'expires_at', anyTime)],
  ['6.5/views/partner-name', 'names are left out', dropped(byId, 'partner_name')],
  ['6.5/views/partner-name', 'a name is a number', saying(details, 'partner_name', () => 7)],
  ['6.5/views/review', 'a review takes longer', anHourLater(offer, 'review_ends_at')],
  ['6.5/views/no-review', 'every stage is reviewed', saying(details, 'review_ends_at', anyTime)],
  ['6.5/freelancer/gross', 'gross is the half', saying(offer, 'gross', () => '125.25')],
  ['6.5/freelancer/language', 'all speak Latin', saying(offer, 'freelancer_language', () => 'la')],
  ['6.5/freelancer/max-file-size', 'a limit is a text', saying(offer, 'max_file_size', () => '9')],
  ['6.3/views/total', 'the total is missing', saying(details, 'total', () => '0.00')],
  ['6.3/operator/net', 'the net amount is zero', saying(operator, 'net', () => '0.00')],
];

const ofNotices: readonly Row[] = [
  ['7.10/notice/expiry', 'nothing is told', without(expiry)],
  ['7.10/notice/expiry-not-before', 'it is always told', always(expiry)],
  ['7.10/notice/expiry-once', 'it is told twice', twice(expiry)],
  ['7.10/notice/expiry-order', 'it is told too late', last(expiry)],
  ['7.10/notice/expiry-accepted', 'it is always told', always(expiry)],
  ['7.10/notice/review', 'nothing is told', without(review)],
  ['7.10/notice/review', 'no stage is named', told(review, (event) => ({ ...event, data: {} }))],
  ['7.10/notice/review-not-before', 'it is always told', always(review)],
  ['7.10/notice/review-once', 'it is told twice', twice(review)],
  ['7.10/notice/review-again', 'it is told once for all', once(review)],
  ['7.10/notice/review-order', 'it is told too late', last(review)],
  ['7.10/notice/review-answered', 'it is always told', always(review)],
  [
    '7.10/notice/actor',
    'the partner tells it',
    told(review, (event) => ({ ...event, actor: 'partner' })),
  ],
  [
    '7.10/notice/changes-nothing',
    'another title',
    after(clock, details, (data, count) => {
      data['title'] = `Soon ${count}`;
    }),
  ],
];

export const mutants: readonly Mutant[] = mutantsOf([...ofViews, ...ofNotices]);
