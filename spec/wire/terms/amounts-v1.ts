import { equal } from '../../expectations.js';
import {
  changesNothing,
  expectReason,
  type LivingDeal,
  newDealV1,
  workFile,
} from '../life/deal.js';
import { expectStatus, group, type Members } from '../server.js';
import { amendment, propose, proposed, staged } from './terms.js';

const added = { name: 'One more', budget: '10.00' };

/** Fails the case unless the amendment would make a stage less than zero. */
async function expectBelowZero(deal: LivingDeal, changes: Members): Promise<void> {
  const reply = await changesNothing(deal, () => propose(deal, 'partner', amendment(changes)));
  expectReason(reply, 'amount_out_of_bounds');
}

/** Decision 9.4: a deal of version 1.0 may be created below zero, and no amendment goes there. */
export const amountsOfV1 = group(
  'amounts in version 1.0',
  {
    must: {
      '9.4/amendment/v1-below-zero':
        'In version 1.0 an amount may be zero, and a stage that was created below zero may stay so.',
      '9.4/amendment/v1-budget-below-zero':
        'A budget of version 1.0 below zero, other than the one that the stage has, is `amount_out_of_bounds`.',
      '9.4/amendment/v1-rest-below-zero':
        'An amount of version 1.0 that leaves less than zero for the open stage is `amount_out_of_bounds`.',
    },
  },
  (define) => {
    define('9.4/amendment/v1-below-zero', async (server) => {
      const deal = await newDealV1(server, { budget: '-5.00' });
      const [stage] = (await deal.details()).stages;
      const stages = [{ id: stage?.id ?? null, name: 'The same budget' }, added];
      await proposed(deal, 'partner', amendment({ stages }));
      equal((await deal.details())['amount'], '5.00', 'the amount');
      await proposed(deal, 'partner', amendment({ stages: [{ ...added, budget: '0.00' }] }));
      equal((await deal.details())['amount'], '0.00', 'the amount');
    });

    define('9.4/amendment/v1-budget-below-zero', async (server) => {
      const deal = await newDealV1(server);
      const [stage] = (await deal.details()).stages;
      const id = stage?.id ?? null;
      for (const changes of [
        { amount: '-0.01' },
        { stages: [{ id, budget: '-0.01' }] },
        { stages: [{ id }, { ...added, budget: '-0.01' }] },
      ]) {
        await expectBelowZero(deal, changes);
      }
    });

    define('9.4/amendment/v1-rest-below-zero', async (server) => {
      const deal = await newDealV1(server);
      const [stage_id = 0] = await staged(deal);
      const { terms_sha256 = null } = await deal.details();
      await deal.done('partner', 'accept', { terms_sha256 });
      const body = { ...workFile, stage_id };
      expectStatus(await deal.give('partner', 'file', { body }), 201);
      await deal.done('partner', 'deliver', { stage_id });
      await deal.done('partner', 'approve', { stage_id });
      // the stage that is approved is worth 60.04
      await expectBelowZero(deal, { amount: '60.03' });
      const { terms } = await proposed(deal, 'partner', amendment({ amount: '60.04' }));
      equal(terms['amount'], '60.04', 'the amount of the terms');
    });
  },
);
