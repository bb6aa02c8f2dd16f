import {
  bodied,
  command,
  details,
  editing,
  erring,
  listOf,
  ofFreelancer,
  offer,
  saying,
  swapping,
} from './life-deals.js';
import type { Mutant } from './mutant.js';
import {
  after,
  agreeing,
  deciding,
  listing,
  mutantsOf,
  offerAgreeing,
  ofTerms,
  proposing,
  type Row,
  refuses,
  set,
  staged,
  takes,
} from './terms-changes.js';

const reason = (given: string) =>
  erring(proposing, (error) => Object.assign(error, { reason: given }));
const status = (from: string, to: string) => swapping(details, 'status', from, to);

const ofAmendments: readonly Row[] = [
  [
    '9.4/amendment/fields',
    'the description stays',
    set(details, () => ({ description: 'Deal description' })),
  ],
  [
    '9.4/amendment/others-stay',
    'the currency changes',
    after(deciding('accept'), details, (data) => Object.assign(data, { currency: 'EUR' })),
  ],
  [
    '9.4/amendment/stage-kept',
    'a stage that is kept has another name',
    after(deciding('accept'), details, (data) => {
      for (const stage of listOf(data, 'stages')) stage['name'] = 'A stage';
    }),
  ],
  ['9.4/amendment/stage-changed', 'days do not change', staged((each) => (each['work_days'] = 10))],
  ['9.4/amendment/stage-added', 'a new stage is submitted', status('pending', 'submitted')],
  ['9.4/amendment/stage-left-out', 'a stage cannot be left out', status('cancelled', 'pending')],
  [
    '9.4/amendment/submitted-left-out',
    'a submitted stage cannot be left out',
    status('cancelled', 'submitted'),
  ],
  ['9.4/amendment/amount-follows', 'the amount stays', set(details, () => ({ amount: '100.04' }))],
  [
    '9.4/amendment/amount-with-stages',
    'an amount beside stages is refused',
    refuses(proposing, 201, 'amount_out_of_bounds'),
  ],
  ['9.4/amendment/amount-alone', 'budgets stay', staged((each) => (each['budget'] = '100.04'))],
  [
    '9.4/amendment/days-alone',
    'days are of no stage',
    staged((each) => (each['work_days'] = null)),
  ],
  ['9.4/amendment/days-of-v1', 'days stay', staged((each) => (each['work_days'] = 30))],
  [
    '9.4/amendment/submitted-changed',
    'a stage that changes stays submitted',
    status('pending', 'submitted'),
  ],
  ['9.4/amendment/submitted-kept', 'every stage goes back', status('submitted', 'pending')],
  ['9.4/amendment/files-superseded', 'its files stay', status('superseded', 'stored')],
  [
    '9.4/amendment/title-alone',
    'stages are named like the deal',
    staged((each, { title }) => (each['name'] = title)),
  ],
  ['9.4/amendment/stages-required', 'another reason', reason('stage_closed')],
  ['9.4/amendment/stage-closed', 'another reason', reason('stages_required')],
  ['9.4/amendment/nothing-changed', 'nothing is a change', takes(proposing)],
  ['9.4/amendment/order', 'the order is a change', takes(proposing)],
  ['9.4/amendment/other-sum', 'another reason', reason('nothing_changed')],
  ['9.4/amendment/beyond-18-digits', 'a deal may be worth anything', takes(proposing)],
  ['9.4/amendment/not-above-zero', 'a deal may be worth nothing', takes(proposing)],
  ['9.4/amendment/v1-below-zero', 'no deal is worth nothing', refuses(proposing)],
  ['9.4/amendment/v1-budget-below-zero', 'a budget may be anything', takes(proposing)],
  ['9.4/amendment/v1-rest-below-zero', 'the rest may be anything', takes(proposing)],
  [
    '9.4/amendment/in-changes-requested',
    'a stage with changes goes back',
    status('changes_requested', 'pending'),
  ],
  ['9.14/amendment/milestones', 'milestones have days', staged((each) => (each['work_days'] = 30))],
];

const upper = (hash: unknown) => String(hash).toUpperCase();
const stagesIn = (data: object) => listOf(Object(Object(data).terms), 'stages');
const wrong = '1'.repeat(64);

const ofConsent: readonly Row[] = [
  [
    '9.5/terms/members',
    'terms lack the transfer',
    editing(proposing, (data) => delete Object(data['terms']).copyright_transfer),
  ],
  ['9.5/terms/agreed-amount', 'an amount is a number', saying(proposing, 'agreed_amount', Number)],
  [
    '9.5/terms/as-they-would-be',
    'the terms have the old description',
    saying(deciding('accept'), 'description', () => 'Deal description'),
  ],
  [
    '9.5/terms/next-version',
    'the terms are of this version',
    saying(proposing, 'version', (version) => Number(version) - 1),
  ],
  [
    '9.5/terms/new-stages',
    'new stages have an id',
    editing(proposing, (data) => {
      for (const stage of stagesIn(data)) stage['id'] ??= 0;
    }),
  ],
  [
    '9.5/terms/order',
    'stages are in another order',
    editing(proposing, (data) => {
      Object(data['terms']).stages = [...stagesIn(data)].reverse();
    }),
  ],
  [
    '9.5/terms/without-cancelled',
    'cancelled stages are in the terms',
    editing(proposing, (data) => {
      Object(data['terms']).stages = [{ id: 1 }, ...stagesIn(data)];
    }),
  ],
  [
    '9.5/terms/agreed-in-part',
    'a stage has its budget',
    saying(proposing, 'budget', (budget) => (budget === '19.96' ? '40.00' : budget)),
  ],
  ['9.5/hash/proposal', 'hashes are in capitals', saying(proposing, 'terms_sha256', upper)],
  [
    '9.5/hash/version',
    'hashes of versions are in capitals',
    saying(ofTerms, 'terms_sha256', upper),
  ],
  ['9.5/hash/offer', 'the offer has no hash', saying(offer, 'terms_sha256', () => null)],
  [
    '9.5/hash/details-of-version-1',
    'details have a hash of version 1',
    saying(details, 'terms_sha256', (hash) => hash ?? wrong),
  ],
  ['9.5/hash/details', 'every version is the first', set(details, () => ({ terms_version: 1 }))],
  [
    '9.5/hash/freelancer',
    'the freelancer is told another amount',
    saying(/^GET \/api\/2\.0\/offer\/proposal\//, 'amount', () => '0.00'),
  ],
  [
    '9.5/consent/other-hash',
    'the hash is not looked at',
    agreeing(deciding('accept'), (path) => path.replace('accept/', '')),
  ],
  [
    '9.5/consent/accept',
    '`accept` takes no hash',
    bodied(ofFreelancer('accept'), (body) => ({ ...body, terms_sha256: wrong })),
  ],
  [
    '9.5/consent/accept-other-hash',
    'the hash of `accept` is not looked at',
    offerAgreeing(ofFreelancer('accept')),
  ],
  ['9.5/consent/accept-must', '`accept` needs no hash', offerAgreeing(ofFreelancer('accept'))],
  [
    '9.5/consent/deliver',
    '`deliver` takes no hash',
    bodied(ofFreelancer('deliver'), (body) => ({ ...body, terms_sha256: wrong })),
  ],
  ['9.5/consent/deliver-must', '`deliver` needs no hash', offerAgreeing(ofFreelancer('deliver'))],
  [
    '9.16/terms/settlement',
    'a settlement has no title',
    saying(proposing, 'title', () => 'Settled'),
  ],
  [
    '9.16/terms/null',
    'what is null is not there',
    editing(proposing, (data) => {
      for (const stage of [Object(data['terms']), ...stagesIn(data)]) {
        for (const [name, value] of Object.entries(stage)) if (value === null) delete stage[name];
      }
    }),
  ],
];

const version = (name: string, change: (value: unknown) => unknown) =>
  saying(ofTerms, name, change);

const ofVersions: readonly Row[] = [
  [
    '9.6/versions/members',
    'a version has no time',
    listing(ofTerms, (all) => all.map(({ at: _, ...each }) => each)),
  ],
  ['9.6/versions/creation', 'the first is an amendment', version('kind', () => 'amendment')],
  ['9.6/versions/at-creation', 'versions have another time', version('at', () => '2020-01-01')],
  ['9.6/versions/one-more', 'only the last is kept', listing(ofTerms, (all) => all.slice(-1))],
  [
    '9.6/versions/none-without',
    'a proposal makes a version',
    listing(ofTerms, (all) => [...all, ...all]),
  ],
  ['9.6/versions/of-proposal', 'proposals are not named', version('proposal_id', () => null)],
  ['9.6/versions/who', 'the partner accepts all', version('accepted_by', () => 'partner')],
  ['9.6/versions/of-bonus', 'a bonus is of the clock', version('proposed_by', () => 'clock')],
  [
    '9.6/versions/oldest-first',
    'the newest is first',
    listing(ofTerms, (all) => [...all].reverse()),
  ],
  ['9.6/versions/pages', 'there is one page', set(ofTerms, () => ({ next: null }))],
  [
    '9.6/versions/never-change',
    'a bonus changes what was before',
    after(command('add-bonus'), ofTerms, (data) => {
      for (const each of listOf(data, 'results')) each['at'] = '2020-01-01';
    }),
  ],
  [
    '9.6/versions/accepted-with-deal',
    'offers are never accepted',
    version('accepted_by', () => null),
  ],
  [
    '9.6/versions/not-accepted',
    'offers are born accepted',
    version('accepted_by', () => 'partner'),
  ],
  [
    '9.6/versions/faces',
    'staff see other times',
    saying(/^GET \/operator\/.*\/terms\/$/, 'at', () => '2020-01-01'),
  ],
  ['9.6/versions/cursor', 'every cursor is one', takes(ofTerms, 200, 400)],
  [
    '9.16/versions/resolve',
    '`resolve` makes a version',
    after(command('resolve'), ofTerms, (data) => {
      data['results'] = [...listOf(data, 'results'), {}];
    }),
  ],
  [
    '9.16/versions/v1-accepted-by',
    'the freelancer accepts what the partner did',
    version('accepted_by', () => 'freelancer'),
  ],
];

export const mutants: readonly Mutant[] = [
  ...mutantsOf(ofAmendments),
  ...mutantsOf(ofConsent),
  ...mutantsOf(ofVersions),
];
