import { check, equal } from '../../expectations.js';
import {
  arrayOf,
  because,
  changesNothing,
  type Details,
  dealIn,
  expectReason,
  type LivingDeal,
  newDeal,
  newDealV1,
  type Stage,
} from '../life/deal.js';
import { expectStatus, group, type Members, type Server } from '../server.js';
import {
  acceptNow,
  agreed,
  amendment,
  approveFirst,
  deliverStage,
  halves,
  propose,
  proposed,
  retitled,
  sides,
  staged,
} from './terms.js';

const added = { name: 'One more', budget: '10.00' };
const largest = '999999999999999999.99';

/** The stages without what only a server says of them. */
const plain = ({ stages }: Details) =>
  stages.map(({ id, name, budget, work_days, status }) => ({
    ...{ id, name, budget, work_days, status },
  }));

const stageAt = ({ stages }: Details, at: number): Stage => {
  const stage = stages[at];
  check(stage !== undefined, `the deal has ${at + 1} stages\n  actual: ${stages.length}`);
  return stage;
};

const idOf = async (deal: LivingDeal) => stageAt(await deal.details(), 0).id;

/** Fails the case unless the proposal is refused for this reason, whoever makes it. */
async function expectRefused(deal: LivingDeal, changes: Members, reason: string): Promise<void> {
  for (const by of sides) {
    const reply = await changesNothing(deal, () => propose(deal, by, amendment(changes)));
    expectReason(reply, reason);
  }
}

/** A deal with two open stages, accepted. */
async function inHalves(server: Server): Promise<{ deal: LivingDeal; ids: readonly number[] }> {
  const deal = await newDeal(server);
  const ids = await staged(deal);
  await acceptNow(deal);
  return { deal, ids };
}

/** A deal with two stages, the first of which is approved. */
async function halfDone(server: Server) {
  const deal = await newDeal(server);
  const [first, second] = await approveFirst(deal);
  return { deal, first, second };
}

/** Decision 9.4: what an amendment changes. */
export const amendments = group(
  'amendments',
  {
    must: {
      '9.4/amendment/fields': 'An accepted amendment changes each field that it names.',
      '9.4/amendment/others-stay': 'An accepted amendment leaves other fields as they are.',
      '9.4/amendment/stage-kept': 'A stage that is listed by its id alone stays as it is.',
      '9.4/amendment/stage-changed': 'A stage that is listed with members has these.',
      '9.4/amendment/stage-added':
        'A stage without an id is added: it is `pending`, with a new id after the others.',
      '9.4/amendment/stage-left-out': 'A stage that is not listed is `cancelled`.',
      '9.4/amendment/submitted-left-out': 'A `submitted` stage that is not listed is `cancelled`.',
      '9.4/amendment/amount-follows': 'The amount is the sum of the stages that are not cancelled.',
      '9.4/amendment/amount-with-stages': 'An amount beside stages is taken if it is their sum.',
      '9.4/amendment/amount-alone': 'An amount alone goes to the one stage that is still open.',
      '9.4/amendment/days-alone': '`work_days` alone go to the one stage that is still open.',
      '9.4/amendment/days-of-v1': '`work_days` of a deal of version 1.0 are those of its stage.',
      '9.4/amendment/submitted-changed':
        'A `submitted` stage whose name, budget or days change goes back to `pending`.',
      '9.4/amendment/submitted-kept': 'A `submitted` stage that does not change stays `submitted`.',
      '9.4/amendment/files-superseded':
        'The files of a stage that goes back to `pending` become `superseded`.',
      '9.4/amendment/title-alone': 'A new title renames no stage.',
      '9.4/amendment/stages-required':
        'An amount or days alone are `stages_required` unless exactly one stage is open.',
      '9.4/amendment/stage-closed':
        'An `approved` stage that is changed or left out, and a cancelled one that is listed, are `stage_closed`.',
      '9.4/amendment/nothing-changed': 'An amendment that changes no term is `nothing_changed`.',
      '9.4/amendment/order': 'Another order of the stages alone is `nothing_changed`.',
      '9.4/amendment/other-sum': 'An amount that is not the sum is `amount_out_of_bounds`.',
      '9.4/amendment/beyond-18-digits': 'A sum of more than 18 digits is `amount_out_of_bounds`.',
      '9.4/amendment/not-above-zero':
        'An amount of version 2.0 that is not above zero is `amount_out_of_bounds`.',
      '9.4/amendment/in-changes-requested':
        'A stage with `changes_requested` can be amended, and stays so.',
      '9.14/amendment/milestones':
        'A partner that wants milestones amends the deal while it is `created`.',
    },
  },
  (define) => {
    const changes: Readonly<Record<string, Members>> = {
      title: { title: 'Two pages of text' },
      description: { description: 'In Polish.' },
      amount: { amount: '140.04' },
      copyright_transfer: { copyright_transfer: 'license' },
      all: {
        ...{ title: 'Two pages of text', description: 'In Polish.', amount: '140.04' },
        ...{ copyright_transfer: 'none' },
      },
    };
    for (const [name, given] of Object.entries(changes)) {
      for (const by of sides) {
        define(
          '9.4/amendment/fields',
          async (server) => {
            const deal = await dealIn('accepted', server);
            await agreed(deal, amendment(given), by);
            const details = await deal.details();
            const now = Object.keys(given).map((each) => [each, details[each]]);
            equal(Object.fromEntries(now), given, 'what was amended');
          },
          `${name}, ${by}`,
        );
      }
    }

    define('9.4/amendment/others-stay', async (server) => {
      const deal = await dealIn('accepted', server);
      const members = async () => {
        const { title: _, terms_version: __, terms_sha256: ___, ...others } = await deal.details();
        return others;
      };
      const before = await members();
      await agreed(deal, retitled('Two pages'));
      equal(await members(), before, 'the other members of the deal');
    });

    define('9.4/amendment/stage-kept', async (server) => {
      const { deal, ids } = await inHalves(server);
      const [first] = plain(await deal.details()).filter(({ id }) => id === ids[0]);
      await agreed(deal, amendment({ stages: [{ id: ids[0] }, added] }));
      const kept = plain(await deal.details()).find(({ id }) => id === ids[0]);
      equal(kept, first, 'the stage that was kept');
    });

    for (const given of [{ name: 'Half of it' }, { budget: '70.04' }, { work_days: 21 }]) {
      define(
        '9.4/amendment/stage-changed',
        async (server) => {
          const { deal, ids } = await inHalves(server);
          const [one, other] = plain(await deal.details()).slice(-2);
          await agreed(deal, amendment({ stages: [{ id: ids[0], ...given }, { id: ids[1] }] }));
          const stages = plain(await deal.details()).slice(-2);
          equal(stages, [{ ...one, ...given }, other], 'the two stages');
        },
        Object.keys(given).join(),
      );
    }

    define('9.4/amendment/stage-added', async (server) => {
      const { deal, ids } = await inHalves(server);
      const stages = [added, ...ids.map((id) => ({ id })), { ...added, work_days: 3 }];
      await agreed(deal, amendment({ stages }));
      const now = plain(await deal.details()).filter(({ status }) => status !== 'cancelled');
      equal(
        now.slice(2).map(({ id: _, ...stage }) => stage),
        [
          { ...added, work_days: null, status: 'pending' },
          { ...added, work_days: 3, status: 'pending' },
        ],
        'the stages that were added',
      );
      const all = (await deal.details()).stages.map(({ id }) => id);
      const inOrder = [...all].sort((one, other) => one - other);
      equal(all, inOrder, 'the ids of all stages');
    });

    define('9.4/amendment/stage-left-out', async (server) => {
      const { deal, ids } = await inHalves(server);
      await agreed(deal, amendment({ stages: [{ id: ids[1] }] }));
      const left = plain(await deal.details()).find(({ id }) => id === ids[0]);
      equal(left?.status, 'cancelled', 'the status of the stage');
    });

    define('9.4/amendment/submitted-left-out', async (server) => {
      const { deal, ids } = await inHalves(server);
      await deliverStage(deal, ids[0] ?? 0);
      await agreed(deal, amendment({ stages: [{ id: ids[1] }] }));
      const left = plain(await deal.details()).find(({ id }) => id === ids[0]);
      equal(left?.status, 'cancelled', 'the status of the stage');
    });

    define('9.4/amendment/amount-follows', async (server) => {
      const { deal, ids } = await inHalves(server);
      await agreed(deal, amendment({ stages: [{ id: ids[0] }, added] }));
      equal((await deal.details())['amount'], '70.04', 'the amount');
    });

    define('9.4/amendment/amount-with-stages', async (server) => {
      const { deal, ids } = await inHalves(server);
      await agreed(deal, amendment({ amount: '70.04', stages: [{ id: ids[0] }, added] }));
      equal((await deal.details())['amount'], '70.04', 'the amount');
    });

    for (const [name, make] of [
      ['of a deal of one stage', (server) => dealIn('accepted', server)],
      ['beside an approved stage', async (server) => (await halfDone(server)).deal],
    ] as const satisfies readonly (readonly [string, (server: Server) => Promise<LivingDeal>])[]) {
      define(
        '9.4/amendment/amount-alone',
        async (server) => {
          const deal = await make(server);
          const before = plain(await deal.details());
          const at = before.findIndex(({ status }) => status === 'pending');
          await agreed(deal, amendment({ amount: '130.04' }));
          const after = plain(await deal.details());
          equal(
            after.filter((_, each) => each !== at),
            before.filter((_, each) => each !== at),
            'the other stages',
          );
          const left = Number(130.04) - (name === 'beside an approved stage' ? 60.04 : 0);
          equal(after[at]?.budget, left.toFixed(2), 'the budget of the open stage');
        },
        name,
      );
    }

    define('9.4/amendment/days-alone', async (server) => {
      const { deal, second } = await halfDone(server);
      await agreed(deal, amendment({ work_days: 21 }));
      const stages = plain(await deal.details()).slice(-2);
      equal(
        stages.map(({ id, work_days }) => ({ id, work_days })).at(-1),
        { id: second, work_days: 21 },
        'the open stage',
      );
      equal(stages[0]?.work_days, 10, 'the days of the approved stage');
    });

    define('9.4/amendment/days-of-v1', async (server) => {
      const deal = await newDealV1(server);
      await proposed(deal, 'partner', amendment({ work_days: 21 }));
      equal(stageAt(await deal.details(), 0)['work_days'], 21, 'the days of the stage');
    });

    for (const given of [{ name: 'Half of it' }, { budget: '70.04' }, { work_days: 21 }]) {
      define(
        '9.4/amendment/submitted-changed',
        async (server) => {
          const deal = await dealIn('delivered', server);
          await agreed(deal, amendment({ stages: [{ id: await idOf(deal), ...given }] }));
          const { status, stages } = await deal.details();
          equal(
            [status, ...stages.map((each) => each.status)],
            ['accepted', 'pending'],
            'the statuses of the deal and of its stage',
          );
        },
        Object.keys(given).join(),
      );
    }

    define('9.4/amendment/submitted-kept', async (server) => {
      const deal = await dealIn('delivered', server);
      await agreed(deal, amendment({ stages: [{ id: await idOf(deal) }, added] }));
      equal(stageAt(await deal.details(), 0).status, 'submitted', 'the status of the stage');
    });

    define('9.4/amendment/files-superseded', async (server) => {
      const deal = await dealIn('delivered', server);
      await agreed(deal, amendment({ amount: '120.04' }));
      const files = arrayOf(stageAt(await deal.details(), 0)['work_files'], 'the files');
      equal(
        files.map(({ status }) => status),
        ['superseded'],
        'the statuses of the files',
      );
      expectReason(await deal.give('freelancer', 'deliver'), 'no_files');
    });

    for (const state of ['created', 'accepted', 'delivered'] as const) {
      define(
        '9.4/amendment/title-alone',
        async (server) => {
          const deal = await dealIn(state, server);
          const before = plain(await deal.details());
          if (state === 'created') await proposed(deal, 'partner', retitled('Two pages'));
          else await agreed(deal, retitled('Two pages'));
          equal(plain(await deal.details()), before, 'the stages');
        },
        state,
      );
    }

    for (const given of [{ amount: '120.04' }, { work_days: 21 }]) {
      define(
        '9.4/amendment/stages-required',
        async (server) => {
          const { deal } = await inHalves(server);
          await expectRefused(deal, given, 'stages_required');
          const approved = await dealIn('approved', server);
          await expectRefused(approved, given, 'stages_required');
        },
        Object.keys(given).join(),
      );
    }

    define('9.4/amendment/stage-closed', async (server) => {
      const { deal, first, second } = await halfDone(server);
      const closed: readonly (readonly Members[])[] = [
        [{ id: second }],
        [{ id: second }, added],
        [{ id: first, name: 'Half of it' }, { id: second }],
        [{ id: first, budget: '70.04' }, { id: second }],
        [{ id: first, work_days: 21 }, { id: second }],
      ];
      for (const stages of closed) await expectRefused(deal, { stages }, 'stage_closed');
      await agreed(deal, amendment({ stages: [{ id: first }, added] }));
      const stages = [{ id: first }, { id: second }, added];
      await expectRefused(deal, { stages }, 'stage_closed');
    });

    define('9.4/amendment/nothing-changed', async (server) => {
      const deal = await dealIn('accepted', server);
      const { title, description, copyright_transfer, amount, stages } = await deal.details();
      const [stage] = stages;
      for (const same of [
        { title },
        { title, description, copyright_transfer, amount },
        { stages: [{ id: stage?.id }] },
        { stages: [{ id: stage?.id, name: stage?.['name'], budget: stage?.['budget'] }] },
      ]) {
        await expectRefused(deal, same, 'nothing_changed');
      }
    });

    define('9.4/amendment/order', async (server) => {
      const { deal, ids } = await inHalves(server);
      const stages = [{ id: ids[1] }, { id: ids[0] }];
      await expectRefused(deal, { stages }, 'nothing_changed');
    });

    define('9.4/amendment/other-sum', async (server) => {
      const { deal, ids } = await inHalves(server);
      for (const amount of ['70.03', '70.05', '100.04']) {
        const given = { amount, stages: [{ id: ids[0] }, added] };
        await expectRefused(deal, given, 'amount_out_of_bounds');
      }
    });

    define('9.4/amendment/beyond-18-digits', async (server) => {
      const deal = await dealIn('accepted', server);
      const stages = [{ id: await idOf(deal), budget: largest }, added];
      await expectRefused(deal, { stages }, 'amount_out_of_bounds');
    });

    for (const amount of ['0.00', '-0.01']) {
      define(
        '9.4/amendment/not-above-zero',
        async (server) => {
          const deal = await dealIn('accepted', server);
          await expectRefused(deal, { amount }, 'amount_out_of_bounds');
          const stages = [{ id: await idOf(deal), budget: amount }];
          await expectRefused(deal, { stages }, 'amount_out_of_bounds');
        },
        amount,
      );
    }

    define('9.4/amendment/in-changes-requested', async (server) => {
      const deal = await dealIn('changes_requested', server);
      await agreed(deal, amendment({ amount: '120.04' }));
      equal(stageAt(await deal.details(), 0).status, 'changes_requested', 'the stage');
    });

    define('9.14/amendment/milestones', async (server) => {
      const deal = await newDeal(server);
      const ids = await staged(deal);
      const stages = plain(await deal.details()).filter(({ status }) => status !== 'cancelled');
      equal(
        stages,
        halves.map((half, at) => ({ id: ids[at], work_days: null, ...half, status: 'pending' })),
        'the stages',
      );
      await acceptNow(deal);
      await deliverStage(deal, ids[1] ?? 0);
      const sent = { body: { ...because, stage_id: ids[1] } };
      expectStatus(await deal.give('partner', 'request-changes', sent), 200);
      const now = plain(await deal.details()).slice(-2);
      equal(
        now.map(({ status }) => status),
        ['pending', 'changes_requested'],
        'the statuses of the two stages',
      );
    });
  },
);
