import { billed } from './billings.js';
import { refusal, withMembers } from './changes.js';
import {
  details,
  editing,
  erring,
  inEvents,
  listOf,
  nameOf,
  ofFreelancer,
  offer,
  ofPartner,
  playing,
  playingAt,
  refusing,
  retelling,
  saying,
  type Tree,
  timeLine,
} from './life-deals.js';
import type { Mutant } from './mutant.js';
import {
  after,
  deciding,
  keyless,
  listing,
  mutantsOf,
  ofProposal,
  ofProposals,
  proposing,
  type Row,
  refuses,
  secondTime,
  set,
  shifted,
  staged,
  takes,
  usedUp,
} from './terms-changes.js';

const ofLists = /^GET \/.*\/(?:proposal|terms)\/$/;

/** A list whose page has all results that the request asked for, however long they are. */
const whole = playingAt(ofLists, async (request, forward) => {
  const size = Number(new URL(request.url).searchParams.get('page_size'));
  const results: unknown[] = [];
  for (let cursor: unknown; ; ) {
    const url = new URL(request.url);
    if (typeof cursor === 'string') url.searchParams.set('cursor', cursor);
    const response = await forward(new Request(url, request));
    const { data } = (await response.clone().json()) as { readonly data?: Tree };
    if (data === undefined) return response;
    results.push(...listOf(data, 'results'));
    cursor = data['next'];
    if (typeof cursor !== 'string' || results.length >= size) {
      return withMembers(response, () => ({ data: { ...data, results } }));
    }
  }
});

const ofSandboxSides = /^POST \/api\/2\.0\/sandbox\/deal\/[^/]+\/(partner|freelancer)\/proposal\//;

const ofFaces: readonly Row[] = [
  ['9.11/faces/statuses', 'a proposal is answered with 200', takes(proposing, 200, 201)],
  [
    '9.11/faces/newest-first',
    'the oldest is first',
    listing(ofProposals, (all) => [...all].reverse()),
  ],
  ['9.11/faces/pages', 'there is one page', set(ofProposals, () => ({ next: null }))],
  ['9.11/pages/longest', 'a page has all that was asked for', whole],
  [
    '9.11/pages/go-on',
    'a page that is not full is the last one',
    editing(ofLists, (data) => {
      if (listOf(data, 'results').length < 100) data['next'] = null;
    }),
  ],
  ['9.11/faces/cursor', 'every cursor is one', takes(ofProposals, 200, 400)],
  ['9.11/faces/page-size', 'pages have any size', takes(/^GET .*\/(proposal|terms)\/$/, 200, 400)],
  ['9.11/faces/one', 'a proposal is not found', takes(ofProposal, 404, 200)],
  ['9.11/faces/unknown', 'every proposal is found', takes(ofProposal, 200, 404)],
  ['9.11/faces/unknown-decision', 'no proposal is a conflict', takes(deciding(), 409, 404)],
  ['9.11/faces/other-deal', 'a proposal is of every deal', takes(ofProposal, 200, 404)],
  ['9.11/faces/no-decision', 'everything is a decision', takes(deciding(), 200, 404)],
  [
    '9.11/faces/freelancer-alone',
    'every freelancer sees it',
    takes(/^GET \/api\/2\.0\/offer\/proposal\//, 200, 404),
  ],
  ['2.5/terms/foreign-deal', 'the deals of others are forbidden', takes(/\/proposal\//, 403, 404)],
  ['5.2/terms/no-token', 'no token is forbidden', refusing(/\/proposal\//, 401, 403, 'forbidden')],
  [
    '6.7/terms/by-id',
    '`by-id` is an id',
    playingAt(/\/by-id\/proposal\//, () => refusal(404, 'not_found')),
  ],
  ['9.11/faces/freelancer-money', 'net is gross', set(ofProposal, () => ({ net: '1.00' }))],
  ['9.11/faces/gross', 'gross is nothing', set(ofProposal, () => ({ gross: '0.00' }))],
  ['9.11/faces/partner-no-money', 'everybody sees net', set(ofProposal, () => ({ net: '1.00' }))],
  ['9.11/faces/same', 'a message is not read', set(ofProposal, () => ({ message: 'None.' }))],
  ['9.11/sandbox/propose', 'the sandbox has none', takes(ofSandboxSides, 404, 201)],
  ['9.11/sandbox/v1', 'the sandbox has none', takes(ofSandboxSides, 404, 201)],
  [
    '9.11/sandbox/no-actor',
    'every actor proposes',
    takes(/\/(operator|payments)\/proposal\//, 409, 404),
  ],
  ['9.14/views/open', 'nobody sees it', set(details, () => ({ proposal: null }))],
  [
    '9.14/views/none',
    'none is an empty one',
    set(offer, ({ proposal }) => ({ proposal: proposal ?? {} })),
  ],
];

const keys = keyless(/\/proposal\//);
const again = secondTime(deciding(), () => refusal(409, 'illegal_transition'));

const ofKeys: readonly Row[] = [
  ['9.11/repeat/decision', 'a decision is given once', again],
  [
    '9.11/repeat/answer',
    'a repeat has no answer',
    secondTime(deciding(), () => Response.json({ data: {} })),
  ],
  ['9.11/repeat/hash', 'a repeat needs the hash', again],
  [
    '9.11/repeat/proposal',
    'a proposal is made once',
    secondTime(proposing, () => refusal(409, 'precondition_failed')),
  ],
  ['2.7/terms/key-replay', 'proposals have no keys', keys],
  ['2.7/terms/key-replay-moved', 'proposals have no keys', keys],
  ['2.7/terms/key-input', 'proposals have no keys', keys],
  ['2.7/terms/key-canonical', 'proposals have no keys', keys],
  ['2.7/terms/key-decision', 'a decision is given once', again],
  ['2.7/terms/key-other-decision', 'decisions have no keys', keys],
  ['2.7/terms/key-failed', 'a refusal uses up its key', usedUp()],
  ['6.7/terms/key-per-actor', 'a key is of both sides', usedUp()],
  ['6.7/terms/key-per-deal', 'a key is of all deals', usedUp()],
  ['2.7/terms/key-malformed', 'proposals have no keys', keys],
];

const typeOf = (event: Tree) => String(event['type']);
const without = (type: string) => inEvents((event) => (typeOf(event) === type ? undefined : event));
/** Changes the data of the events of a type. */
const telling = (type: string, change: (data: Tree) => Tree) =>
  inEvents((event) =>
    typeOf(event).startsWith(type) ? { ...event, data: change(Object(event['data'])) } : event,
  );
const posts = /^POST \/.*\/proposal\//;

/** Tells the token of the last freelancer. */
function telltale(): Mutant['fetch'] {
  let token = '';
  return playing(async (request, forward) => {
    const [scheme, given = ''] = (request.headers.get('authorization') ?? '').split(' ');
    if (scheme === 'Offer') token = given;
    if (!timeLine.test(nameOf(request))) return forward(request);
    return inEvents((event) => ({ ...event, token }))(forward)(request);
  });
}

/** Adds an event for each request of a kind. */
const more = (fits: RegExp, counts?: (response: Response) => boolean) =>
  after(
    fits,
    timeLine,
    (data, count) => {
      const extra = Array.from({ length: count }, () => ({ type: 'proposal.repeated' }));
      data['results'] = [...listOf(data, 'results'), ...extra];
    },
    counts,
  );

const ofEvents: readonly Row[] = [
  ['9.12/events/order', 'the last is told first', retelling((all) => [...all].reverse())],
  ['9.12/events/bonus', 'a bonus supersedes silently', without('proposal.superseded')],
  ['9.12/events/end', 'an end supersedes silently', without('proposal.superseded')],
  ['9.12/events/resolve', '`resolve` supersedes silently', without('proposal.superseded')],
  ['9.12/events/created', 'a proposal is not told', without('proposal.created')],
  [
    '9.12/events/decision',
    'a decision is one',
    inEvents((event) =>
      /^proposal\.(accepted|rejected|withdrawn)$/.test(typeOf(event))
        ? { ...event, type: 'proposal.decided' }
        : event,
    ),
  ],
  [
    '9.12/events/data',
    'the kind is not told',
    telling('proposal.', ({ kind: _, ...data }) => data),
  ],
  [
    '9.12/events/statuses',
    'statuses are not told',
    telling('proposal.', ({ status: _, ...data }) => data),
  ],
  [
    '9.12/events/message',
    'messages are not told',
    telling('proposal.', ({ message: _, ...data }) => data),
  ],
  [
    '9.12/events/no-message',
    'messages are told again',
    telling('proposal.', (data) => ({ message: 'As we said.', ...data })),
  ],
  [
    '9.12/events/expired',
    'the partner lets proposals expire',
    inEvents((event) => ({ ...event, actor: 'partner' })),
  ],
  [
    '9.12/events/amended',
    'no stage is told',
    telling('deal.amended', (data) => ({ ...data, stage_ids: [] })),
  ],
  [
    '9.12/events/settled',
    'no proposal is told',
    telling('deal.settled', ({ proposal_id: _, ...data }) => data),
  ],
  [
    '9.12/events/bonus-added',
    'another version is told',
    telling('deal.bonus', (data) => ({ ...data, terms_version: 1 })),
  ],
  ['9.12/events/completed', 'the end is not told', without('deal.completed')],
  [
    '9.12/events/one-write',
    'nothing has a cause',
    inEvents((event) => ({ ...event, cause: null })),
  ],
  [
    '9.12/events/actor',
    'staff do everything',
    inEvents((event) => ({ ...event, actor: 'operator' })),
  ],
  [
    '9.12/events/freelancer',
    'the freelancer is told nothing',
    editing(/^GET \/api\/2\.0\/offer\/event\/$/, (data) => {
      data['results'] = [];
    }),
  ],
  ['9.12/events/none-of-refusal', 'refusals are told', more(posts, ({ status }) => status >= 400)],
  ['9.12/events/none-of-repeat', 'repeats are told', more(deciding())],
  ['9.12/events/no-token', 'the token is told', telltale()],
];

const never = staged((stage) => (stage['due_on'] = null));
const always = staged((stage) => (stage['due_on'] ??= '2027-01-01'));
const isOverdue = (event: Tree) => typeOf(event) === 'deal.overdue';
const overdueOnce = retelling((all) => {
  const first = all.findIndex(isOverdue);
  return all.filter((each, at) => !isOverdue(each) || at === first);
});
const told = retelling((all) => [...all, { type: 'deal.overdue', data: { stage_ids: [] } }]);
const cancel = ofPartner('cancel');
const decline = ofFreelancer('decline');
const reason = (given: string) =>
  erring(cancel, (error) => Object.assign(error, { reason: given }));

const ofDueDates: readonly Row[] = [
  ['9.13/due/default', 'nothing is due', never],
  ['9.13/due/work-days', 'stages are due a day later', shifted(1)],
  ['9.13/due/v1', 'stages are due a day earlier', shifted(-1)],
  ['9.13/due/not-before-acceptance', 'offers are due', always],
  ['9.13/due/sent-back', 'no days are left', shifted(-2)],
  ['9.13/due/amended', 'no days are left', shifted(-6)],
  ['9.14/due/views', 'the freelancer sees none', saying(offer, 'due_on', () => null)],
  ['9.16/due/none', 'everything is due', always],
  ['9.16/due/submitted', 'submitted work is not due', never],
  ['9.16/due/added', 'a new stage is due as the others', shifted(-3)],
  ['9.16/due/below-zero', 'days below zero count', shifted(-5)],
  ['9.16/due/beyond', 'there is no last year', always],
  ['9.13/overdue/told', 'nothing is told', without('deal.overdue')],
  ['9.13/overdue/not-before', 'it is told before', told],
  [
    '9.13/overdue/once',
    'it is told twice',
    retelling((all) => all.flatMap((each) => (isOverdue(each) ? [each, each] : [each]))),
  ],
  ['9.13/overdue/again', 'it is told once for all', overdueOnce],
  ['9.13/overdue/sent-back', 'work that was sent back is never overdue', without('deal.overdue')],
  ['9.13/overdue/not-submitted', 'submitted work is overdue', told],
  [
    '9.13/overdue/changes-nothing',
    'an overdue deal has another title',
    after(/\/sandbox\/clock\/$/, details, (data, count) => {
      data['title'] = `Overdue ${count}`;
    }),
  ],
  [
    '9.16/overdue/together',
    'each stage is told by itself',
    retelling((all) =>
      all.flatMap((each) =>
        isOverdue(each)
          ? listOf(Object(each['data']), 'stage_ids').map((id) => ({
              ...each,
              data: { stage_ids: [id] },
            }))
          : [each],
      ),
    ),
  ],
  ['9.13/cancel/paid', 'another reason', reason('not_overdue')],
  ['9.13/cancel/not-yet', 'another reason', reason('already_paid')],
  ['9.13/cancel/overdue', 'nobody can cancel', refuses(cancel, 200)],
  ['9.13/cancel/sent-back', 'work that was sent back goes on', refuses(cancel, 200)],
  ['9.13/cancel/sent-back-not-yet', 'work that was sent back ends', takes(cancel, 200)],
  [
    '9.13/cancel/legal',
    'legal has no cancel',
    erring(ofPartner('.*'), (error) => {
      const { legal } = error;
      if (Array.isArray(legal)) error['legal'] = legal.filter((each) => each !== 'cancel');
    }),
  ],
  [
    '9.13/cancel/refunds',
    'nothing goes back',
    billed((billing) => {
      billing['refunded'] = '0.00';
    }),
  ],
  ['9.13/cancel/submitted', 'another reason', reason('already_paid')],
  ['9.16/decline/processing', 'nothing waits for a payout', takes(decline, 200)],
  ['9.16/cancel/processing', 'nothing waits for a payout', takes(cancel, 200)],
  [
    '9.16/sandbox/accept',
    'the sandbox accepts the first terms',
    set(details, () => ({ title: 'Deal title' })),
  ],
  ['9.13/decline/paid', 'money keeps the freelancer', refuses(decline, 200)],
  ['9.13/decline/sent-back', 'changes keep the freelancer', refuses(decline, 200)],
];

export const mutants: readonly Mutant[] = [
  ...mutantsOf(ofFaces),
  ...mutantsOf(ofKeys),
  ...mutantsOf(ofEvents),
  ...mutantsOf(ofDueDates),
];
