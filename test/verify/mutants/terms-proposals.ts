import {
  bodied,
  details,
  editing,
  erring,
  listOf,
  playingAt,
  saying,
  swapping,
} from './life-deals.js';
import type { Mutant } from './mutant.js';
import {
  after,
  deciding,
  dropping,
  inStages,
  mutantsOf,
  ofProposal,
  ofProposals,
  proposed,
  proposing,
  type Row,
  refuses,
  set,
  takes,
} from './terms-changes.js';

const open = (status: string) => swapping(ofProposal, 'status', status, 'open');

const ofTheirMembers: readonly Row[] = [
  [
    '9.1/proposal/members',
    'a proposal lacks a member',
    editing(proposing, (data) => delete data['expires_at']),
  ],
  ['9.1/proposal/id', 'ids are numbers', set(proposing, () => ({ id: '1' }))],
  [
    '9.1/proposal/open',
    'a new proposal is rejected',
    swapping(proposing, 'status', 'open', 'rejected'),
  ],
  ['9.1/proposal/changes', 'changes are not shown', set(proposing, () => ({ changes: {} }))],
  [
    '9.1/proposal/canonical',
    'money is shown as it came',
    saying(proposing, 'amount', (sum) => String(sum).replace(/0$/, '')),
  ],
  [
    '9.1/proposal/message',
    'no message is an empty one',
    set(proposing, (data) => ({ message: data['message'] ?? '' })),
  ],
  [
    '9.1/proposal/changes-nothing',
    'a proposal shows in the deal at once',
    editing(details, (data) => {
      if (data['proposal'] !== null) data['title'] = 'Another title';
    }),
  ],
  ['9.1/proposal/supersedes', 'a second proposal leaves the first open', open('superseded')],
  [
    '9.1/proposal/supersedes-none',
    'a proposal supersedes itself',
    set(proposing, (data) => ({ supersedes: data['supersedes'] ?? data['id'] })),
  ],
  [
    '9.1/proposal/one-open',
    'all proposals are open',
    swapping(ofProposals, 'status', 'superseded', 'open'),
  ],
  ['9.1/proposal/superseded-by-bonus', 'a bonus leaves the proposal open', open('superseded')],
  ['9.1/proposal/superseded-by-resolve', '`resolve` leaves it open', open('superseded')],
  ['9.1/proposal/superseded-by-cancel', 'staff leave it open', open('superseded')],
  ['9.1/proposal/superseded-by-end', 'the end leaves it open', open('superseded')],
  [
    '9.1/proposal/survives-accept',
    'whoever accepts the deal accepts the proposal',
    swapping(ofProposal, 'status', 'open', 'accepted'),
  ],
  [
    '9.1/proposal/decided-at',
    'a decision has no time',
    set(deciding(), () => ({ decided_at: null })),
  ],
  [
    '9.2/proposal/expires-at',
    'a proposal expires a day later',
    saying(proposing, 'expires_at', (at) =>
      new Date(Date.parse(String(at)) + 24 * 60 * 60 * 1000).toISOString(),
    ),
  ],
  [
    '9.1/race/proposals',
    'proposals at once are all open',
    swapping(ofProposals, 'status', 'superseded', 'open'),
  ],
  ['9.2/race/decisions', 'two decisions at once are both made', takes(deciding(), 200)],
];

const ofTheirSides: readonly Row[] = [
  ['9.2/proposal/accept', 'nobody accepts', refuses(deciding('accept'), 200)],
  ['9.2/proposal/reject', 'nobody rejects', refuses(deciding('reject'), 200)],
  ['9.2/proposal/withdraw', 'nobody withdraws', refuses(deciding('withdraw'), 200)],
  [
    '9.2/proposal/rejected-changes-nothing',
    'a proposal that is rejected changes the title',
    after(deciding('reject|withdraw'), details, (data) => {
      data['title'] = 'Another title';
    }),
  ],
  ['9.2/proposal/wrong-side', 'either side decides', takes(deciding(), 200)],
  [
    '9.2/proposal/wrong-side-status',
    'the wrong side is not told the status',
    erring(deciding(), (error) => delete error['proposal_status']),
  ],
  ['9.2/proposal/closed', 'a closed proposal is decided again', takes(deciding(), 200)],
  [
    '9.2/proposal/closed-status',
    'a closed proposal is called open',
    erring(deciding(), (error) => Object.assign(error, { proposal_status: 'open' })),
  ],
  ['9.2/proposal/wrong-state', 'every state has proposals', takes(proposing)],
  ['9.2/sandbox/expires', 'no proposal expires', open('expired')],
  [
    '9.2/sandbox/expires-not-before',
    'proposals are expired at once',
    swapping(ofProposal, 'status', 'open', 'expired'),
  ],
  ['9.2/sandbox/expired-is-closed', 'an expired proposal is accepted', takes(deciding(), 200)],
  [
    '9.2/operator/decides-none',
    'staff propose and decide',
    playingAt(/^POST \/operator\/.*\/proposal\//, () => Response.json({ data: {} })),
  ],
  ['9.3/amendment/legal', 'amendments are illegal', refuses(proposing)],
  ['9.3/amendment/illegal', 'amendments are always legal', takes(proposing)],
  ['9.3/settlement/legal', 'settlements are illegal', refuses(proposing)],
  ['9.3/settlement/illegal', 'settlements are always legal', takes(proposing)],
  [
    '9.3/created/at-once',
    'an offer keeps its title',
    set(details, () => ({ title: 'Deal title' })),
  ],
  [
    '9.3/created/accepted-at-once',
    'an amendment of an offer stays open',
    swapping(proposing, 'status', 'accepted', 'open'),
  ],
  [
    '9.3/created/stays-created',
    'an amendment accepts the offer',
    swapping(details, 'status', 'created', 'accepted'),
  ],
  [
    '9.3/created/counter-offer',
    'a counter-offer takes effect at once',
    swapping(proposing, 'status', 'open', 'accepted'),
  ],
  [
    '9.3/created/counter-offer-accepts',
    'a counter-offer does not accept the deal',
    swapping(details, 'status', 'accepted', 'created'),
  ],
  [
    '9.3/created/counter-offer-rejected',
    'a counter-offer that is rejected accepts the deal',
    swapping(details, 'status', 'created', 'accepted'),
  ],
  ['9.3/created/replaces-counter-offer', 'the counter-offer stays open', open('superseded')],
];

const isStage = (id: unknown) => Number(id) > 0 && Number(id) < 2 ** 40;

const ofTheirForm: readonly Row[] = [
  [
    '9.4/form/kind',
    'every proposal is an amendment',
    bodied(proposing, (body) => ({ ...body, kind: 'amendment' })),
  ],
  [
    '9.4/form/changes',
    'no changes are a title',
    proposed((changes) =>
      Array.isArray(changes) || Object.keys(changes).length === 0 ? { title: 'Untitled' } : changes,
    ),
  ],
  [
    '9.4/form/empty',
    'nothing is a title',
    proposed((changes) => (Object.keys(changes).length === 0 ? { title: 'Untitled' } : changes)),
  ],
  ['9.4/form/currency', 'the currency is ignored', dropping('currency')],
  ['9.4/form/unknown-member', 'unknown members are ignored', dropping('budget', 'name')],
  [
    '9.4/form/field-rules',
    'an empty title is one',
    proposed(({ title, ...changes }) =>
      title === undefined ? changes : { ...changes, title: title || 'Untitled' },
    ),
  ],
  [
    '9.4/form/stage-rules',
    'an empty name is one',
    inStages((stage) => (Object(stage).name === '' ? { ...stage, name: 'Unnamed' } : stage)),
  ],
  [
    '9.4/form/new-stage',
    'a new stage needs nothing',
    inStages((stage) => ({ name: 'Unnamed', budget: '1.00', ...stage })),
  ],
  [
    '9.4/form/no-stage',
    'no stages are no change',
    proposed(({ stages, ...changes }) =>
      listOf({ stages }, 'stages').length === 0 ? changes : { ...changes, stages },
    ),
  ],
  [
    '9.15/form/stages',
    'a deal takes as many stages as it gets',
    proposed((changes) => ({ ...changes, stages: listOf(changes, 'stages').slice(0, 100) })),
  ],
  [
    '9.4/form/duplicates',
    'a stage twice is once',
    proposed((changes) => ({ ...changes, stages: listOf(changes, 'stages').slice(0, 1) })),
  ],
  [
    '9.4/form/unknown-stage',
    'unknown stages are ignored',
    proposed((changes) => ({
      ...changes,
      stages: listOf(changes, 'stages').filter(({ id }) => id === undefined || isStage(id)),
    })),
  ],
  ['9.4/form/stage-of-another', 'the stage of another deal is taken', takes(proposing, 201, 400)],
  [
    '9.4/form/all-issues',
    'one mistake is told',
    erring(proposing, (error) =>
      Object.assign(error, { errors: listOf(error, 'errors').slice(0, 1) }),
    ),
  ],
  ['9.4/form/before-state', 'the state is judged first', takes(proposing, 409, 400)],
  [
    '9.8/form/amount',
    'a negative amount is a positive one',
    proposed((changes) => ({
      ...changes,
      agreed_amount: String(changes['agreed_amount']).replace('-', ''),
    })),
  ],
  [
    '9.15/form/message',
    'a message may be anything',
    bodied(proposing, ({ message: _, ...body }) => body),
  ],
  [
    '9.15/form/description',
    'a description is cut',
    proposed(({ description, ...changes }) => ({
      ...changes,
      description: String(description).slice(0, 20_000),
    })),
  ],
  ['9.15/form/longest', 'texts are short', refuses(proposing)],
  [
    '9.15/form/message-of-decision',
    'the message of a decision may be anything',
    bodied(deciding(), ({ message: _, ...body }) => body),
  ],
  ['9.15/form/token-in-text', 'the token may be told', takes(proposing, 201, 400)],
  [
    '9.15/form/token-in-decision',
    'a decision may tell the token',
    bodied(deciding(), ({ message: _, ...body }) => body),
  ],
  ['9.16/form/days-beside-stages', 'days beside stages are ignored', dropping('work_days')],
  [
    '9.16/form/unknown-in-stage',
    'unknown members of a stage are ignored',
    inStages(({ status: _, kind: __, ...stage }) => stage),
  ],
  ['9.16/form/unknown-in-settlement', 'a settlement ignores a title', dropping('title')],
  [
    '9.5/form/hash-required',
    'no hash is another one',
    bodied(deciding('accept'), (body) => ({ terms_sha256: '0'.repeat(64), ...body })),
  ],
  ['9.4/fields/proposal', 'the fields of a proposal have no rules', takes(proposing, 201, 400)],
  ['9.5/fields/acceptance', 'a hash may be anything', takes(/\/accept\/$/, 200, 400)],
  ['9.9/fields/bonus', 'a bonus may be anything', takes(/\/add-bonus\/$/, 200, 400)],
];

export const mutants: readonly Mutant[] = [
  ...mutantsOf(ofTheirMembers),
  ...mutantsOf(ofTheirSides),
  ...mutantsOf(ofTheirForm),
];
