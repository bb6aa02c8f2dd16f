import { equal, show } from '../../expectations.js';
import { arrayOf, changesNothing, dealIn, type LivingDeal, newDealV1 } from '../life/deal.js';
import {
  expectError,
  expectIssues,
  expectStatus,
  group,
  type Json,
  type Members,
  type Reply,
} from '../server.js';
import {
  amendment,
  decide,
  otherSide,
  propose,
  proposed,
  retitled,
  settlement,
  sides,
} from './terms.js';

const added = { name: 'One more', budget: '10.00' };

/** A text of code points that UTF-16 counts twice. */
const text = (length: number) => '\u{1f4dd}'.repeat(length);

/** A body, and the path of its one issue. The stage is that of the deal. */
type Wrong = readonly [name: string, path: readonly string[], body: (stage: number) => Members];

const stagesOf = (stages: readonly Json[]) => amendment({ stages });
const first = ['changes', 'stages', '0'];

const wrong = {
  '9.4/form/kind': [
    ['missing', ['kind'], () => ({ changes: { title: 'Another' } })],
    ['unknown', ['kind'], () => ({ kind: 'bonus', changes: { title: 'Another' } })],
  ],
  '9.4/form/changes': [
    ['missing', ['changes'], () => ({ kind: 'amendment' })],
    ['null', ['changes'], () => ({ kind: 'amendment', changes: null })],
    ['a text', ['changes'], () => ({ kind: 'amendment', changes: 'title' })],
    ['a list', ['changes'], () => ({ kind: 'settlement', changes: [] })],
  ],
  '9.4/form/empty': [['{}', ['changes'], () => amendment({})]],
  '9.4/form/currency': [['EUR', ['changes', 'currency'], () => amendment({ currency: 'EUR' })]],
  '9.4/form/unknown-member': [
    ['alone', ['changes', 'budget'], () => amendment({ budget: '10.00' })],
    ['beside another', ['changes', 'name'], () => amendment({ title: 'Another', name: 'One' })],
  ],
  '9.4/form/field-rules': [
    ['an empty title', ['changes', 'title'], () => amendment({ title: '' })],
    ['a long title', ['changes', 'title'], () => amendment({ title: text(201) })],
    ['a title of null', ['changes', 'title'], () => amendment({ title: null })],
    ['an empty description', ['changes', 'description'], () => amendment({ description: '' })],
    ['an amount as number', ['changes', 'amount'], () => amendment({ amount: 120 })],
    ['an amount of text', ['changes', 'amount'], () => amendment({ amount: 'much' })],
    ['days as text', ['changes', 'work_days'], () => amendment({ work_days: '7' })],
    ['a part of a day', ['changes', 'work_days'], () => amendment({ work_days: 1.5 })],
    [
      'a transfer that does not exist',
      ['changes', 'copyright_transfer'],
      () => amendment({ copyright_transfer: 'some' }),
    ],
  ],
  '9.4/form/stage-rules': [
    ['an empty name', [...first, 'name'], (id) => stagesOf([{ id, name: '' }])],
    ['a budget of text', [...first, 'budget'], (id) => stagesOf([{ id, budget: 'much' }])],
    ['days as text', [...first, 'work_days'], (id) => stagesOf([{ id, work_days: '7' }])],
    ['an id as text', [...first, 'id'], (id) => stagesOf([{ id: `${id}` }])],
    ['no object', first, () => stagesOf(['all'])],
  ],
  '9.4/form/new-stage': [
    ['without a budget', [...first, 'budget'], () => stagesOf([{ name: 'One more' }])],
    ['without a name', [...first, 'name'], () => stagesOf([{ budget: '10.00' }])],
  ],
  '9.4/form/no-stage': [['an empty list', ['changes', 'stages'], () => stagesOf([])]],
  '9.15/form/stages': [
    ['101 stages', ['changes', 'stages'], () => stagesOf(Array.from({ length: 101 }, () => added))],
  ],
  '9.4/form/duplicates': [
    ['an id twice', ['changes', 'stages', '1', 'id'], (id) => stagesOf([{ id }, { id }])],
  ],
  '9.4/form/unknown-stage': [
    ['a large id', [...first, 'id'], () => stagesOf([{ id: Number.MAX_SAFE_INTEGER }, added])],
    ['a negative id', [...first, 'id'], (id) => stagesOf([{ id: -id }, added])],
  ],
  '9.16/form/days-beside-stages': [
    [
      'days of the whole',
      ['changes', 'work_days'],
      (id) => amendment({ stages: [{ id }, added], work_days: 7 }),
    ],
  ],
  '9.16/form/unknown-in-stage': [
    ['of one that is kept', [...first, 'status'], (id) => stagesOf([{ id, status: 'approved' }])],
    ['of one that is added', [...first, 'kind'], () => stagesOf([{ ...added, kind: 'bonus' }])],
  ],
  '9.8/form/amount': [
    ['missing', ['changes', 'agreed_amount'], () => ({ kind: 'settlement', changes: {} })],
    ['negative', ['changes', 'agreed_amount'], () => settlement('-0.01')],
    [
      'a number',
      ['changes', 'agreed_amount'],
      () => ({ kind: 'settlement', changes: { agreed_amount: 50 } }),
    ],
  ],
  '9.15/form/message': [
    ['empty', ['message'], () => ({ ...retitled(), message: '' })],
    ['2,001 code points', ['message'], () => ({ ...retitled(), message: text(2001) })],
    ['null', ['message'], () => ({ ...retitled(), message: null })],
  ],
  '9.15/form/description': [
    ['too long', ['changes', 'description'], () => amendment({ description: text(20_001) })],
  ],
} as const satisfies Readonly<Record<string, readonly Wrong[]>>;

/** Fails the case unless the answer is a validation error whose issues have these paths. */
function expectPaths(reply: Reply, ...paths: readonly (readonly string[])[]): void {
  const { errors } = expectError(reply, 400, 'validation_failed');
  equal(
    arrayOf(errors, 'the issues').map(({ path }) => path),
    paths,
    'the paths of the issues',
  );
}

/** Decision 9.4: the form of a proposal. */
export const proposalForms = group(
  'bodies of proposals',
  {
    must: {
      '9.4/form/kind': 'The `kind` of a proposal is `amendment` or `settlement`.',
      '9.4/form/changes': 'The `changes` of a proposal are an object.',
      '9.4/form/empty': 'An amendment that changes nothing by its form, `{}`, is refused.',
      '9.4/form/currency': 'The currency cannot be amended.',
      '9.4/form/unknown-member': 'Unknown members of `changes` are refused.',
      '9.4/form/field-rules': 'Each member of an amendment is under the rules of its field.',
      '9.4/form/stage-rules': 'Each member of a stage is under the rules of its field.',
      '9.4/form/new-stage': 'A stage that is added has a name and a budget.',
      '9.4/form/no-stage': 'An amendment with no stage is refused.',
      '9.4/form/duplicates': 'An amendment that lists a stage twice is refused.',
      '9.4/form/unknown-stage': 'An amendment with a stage that the deal does not have is refused.',
      '9.4/form/stage-of-another':
        'The id of a stage of another deal is refused as one that does not exist.',
      '9.4/form/all-issues': 'All mistakes in a proposal are told at once.',
      '9.4/form/before-state': 'The form of a proposal is judged before the state of the deal.',
      '9.8/form/amount': 'The `agreed_amount` of a settlement is required, and is not negative.',
      '9.15/form/stages': 'An amendment has at most 100 stages.',
      '9.15/form/message': 'The message of a proposal has 1 to 2,000 code points.',
      '9.15/form/description': 'An amended description has at most 20,000 code points.',
      '9.15/form/longest': 'A message of 2,000 and a description of 20,000 code points are taken.',
      '9.15/form/message-of-decision':
        'The message of a decision about a proposal has 1 to 2,000 code points.',
      '9.15/form/token-in-text':
        'Text of a proposal that holds the payment token is refused as `secret_in_text`.',
      '9.15/form/token-in-decision':
        'The message of a decision that holds the payment token is refused as `secret_in_text`.',
      '9.16/form/days-beside-stages': '`work_days` beside `stages` is refused.',
      '9.16/form/unknown-in-stage': 'Unknown members of a stage are refused.',
      '9.16/form/unknown-in-settlement': "Unknown members in a settlement's `changes` are refused.",
      '9.5/form/hash-required': 'To accept a proposal takes its `terms_sha256`.',
    },
  },
  (define) => {
    for (const [id, bodies] of Object.entries(wrong) as [keyof typeof wrong, readonly Wrong[]][]) {
      for (const [name, path, body] of bodies) {
        define(
          id,
          async (server) => {
            const deal = await dealIn('accepted', server);
            const [stage] = (await deal.details()).stages;
            const sent = body(stage?.id ?? 0);
            for (const by of sides) {
              expectPaths(await changesNothing(deal, () => propose(deal, by, sent)), path);
            }
          },
          name,
        );
      }
    }

    define('9.16/form/unknown-in-settlement', async (server) => {
      const deal = await dealIn('accepted', server);
      const body = { kind: 'settlement', changes: { agreed_amount: '50.00', title: 'Another' } };
      expectPaths(await propose(deal, 'partner', body), ['changes', 'title']);
    });

    define('9.4/form/stage-of-another', async (server) => {
      const [deal, other] = [await dealIn('accepted', server), await dealIn('accepted', server)];
      const [foreign] = (await other.details()).stages;
      const body = stagesOf([{ id: foreign?.id }, added]);
      expectPaths(await changesNothing(deal, () => propose(deal, 'partner', body)), [
        ...[...first, 'id'],
      ]);
    });

    define('9.4/form/all-issues', async (server) => {
      const deal = await dealIn('accepted', server);
      const changes = { title: '', amount: 1, currency: 'EUR', stages: [{ name: 'One more' }] };
      const reply = await propose(deal, 'partner', amendment(changes, { message: '' }));
      const { errors } = expectError(reply, 400, 'validation_failed');
      const paths = arrayOf(errors, 'the issues').map(({ path }) => show(path));
      const expected = [
        ['changes', 'amount'],
        ['changes', 'currency'],
        ['changes', 'stages', '0', 'budget'],
        ['changes', 'title'],
        ['message'],
      ].map(show);
      equal(paths.sort(), expected.sort(), 'the paths of the issues, sorted');
    });

    define('9.4/form/before-state', async (server) => {
      const deal = await dealIn('cancelled', server);
      expectPaths(await propose(deal, 'partner', amendment({})), ['changes']);
    });

    for (const [name, changes, more] of [
      ['a message', { title: 'Another' }, { message: text(2000) }],
      ['a description', { description: text(20_000) }, {}],
    ] as const) {
      define(
        '9.15/form/longest',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await proposed(deal, 'freelancer', amendment(changes, more));
        },
        name,
      );
    }

    for (const decision of ['accept', 'reject', 'withdraw'] as const) {
      const by = decision === 'withdraw' ? 'partner' : otherSide.partner;
      const openProposal = async (deal: LivingDeal) => {
        const open = await proposed(deal, 'partner', retitled());
        const hash = decision === 'accept' ? { terms_sha256: open.terms_sha256 } : {};
        return (message: string) =>
          changesNothing(deal, () =>
            decide(deal, by, open, decision, { body: { ...hash, message } }),
          );
      };
      define(
        '9.15/form/message-of-decision',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const decideWith = await openProposal(deal);
          expectIssues(await decideWith(''), { path: ['message'], code: 'too_short' });
          expectIssues(await decideWith(text(2001)), { path: ['message'], code: 'too_long' });
        },
        decision,
      );
      define(
        '9.15/form/token-in-decision',
        async (server) => {
          const deal = await dealIn('accepted', server);
          const reply = await (await openProposal(deal))(`It is ${deal.payment_token}.`);
          expectIssues(reply, { path: ['message'], code: 'secret_in_text' });
        },
        decision,
      );
    }

    for (const [name, path, body] of [
      ['message', ['message'], (token) => ({ ...retitled(), message: token })],
      ['title', ['changes', 'title'], (token) => retitled(token)],
      ['description', ['changes', 'description'], (token) => amendment({ description: token })],
      [
        'name of a stage',
        [...first, 'name'],
        (token) => stagesOf([{ name: token, budget: '10.00' }]),
      ],
    ] as const satisfies readonly (readonly [
      string,
      readonly string[],
      (token: string) => Members,
    ])[]) {
      define(
        '9.15/form/token-in-text',
        async (server) => {
          const deal = await dealIn('accepted', server);
          for (const by of sides) {
            const reply = await propose(deal, by, body(`It is ${deal.payment_token}.`));
            const { errors } = expectError(reply, 400, 'validation_failed');
            const [issue, ...others] = arrayOf(errors, 'the issues');
            equal(others, [], 'further issues');
            equal(
              { path: issue?.['path'], code: issue?.['code'] },
              { path, code: 'secret_in_text' },
              'the issue',
            );
          }
        },
        name,
      );
    }

    define(
      '9.5/form/hash-required',
      async (server) => {
        const deal = await dealIn('accepted', server);
        const open = await proposed(deal, 'partner', retitled());
        const reply = await changesNothing(deal, () =>
          decide(deal, 'freelancer', open, 'accept', {}),
        );
        expectIssues(reply, { path: ['terms_sha256'], code: 'required' });
      },
      'by the freelancer',
    );
    define(
      '9.5/form/hash-required',
      async (server) => {
        const deal = await newDealV1(server);
        await deal.done('partner', 'accept');
        const open = await proposed(deal, 'partner', retitled());
        expectIssues(await decide(deal, 'partner', open, 'accept', {}), {
          ...{ path: ['terms_sha256'], code: 'required' },
        });
        expectStatus(await decide(deal, 'partner', open, 'accept'), 200);
      },
      'of version 1.0',
    );
  },
);
