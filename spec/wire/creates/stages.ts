import { check, equal, show } from '../../expectations.js';
import { group, type Json, type Members, membersOf } from '../server.js';
import { createDeal, created, inEachDeal, stored } from './create.js';

/** Decision 2.6: the stages of a new deal. */
export const createdStages = group(
  'stages of a new deal',
  {
    must: {
      '2.6/create/stage-budgets':
        "The budgets of the stages sum to the deal's amount, to the cent.",
      'i1.0/create/stage-ids-of-deal':
        'The stages of a deal of version 1.0 have the ids that its create answered.',
    },
  },
  (define) => {
    inEachDeal(define)('2.6/create/stage-budgets', async (server, create) => {
      for (const amount of ['100.01', '0.01', '999999999999999999.99']) {
        const deal = await stored(server, create, { [create.money]: amount });
        const budgets = stagesOf(deal).map(({ budget }) => budget);
        const sum = budgets.map(centsOf).reduce((before, each) => before + each, 0n);
        check(sum === centsOf(amount), `they sum to ${amount}\n  actual: ${show(budgets)}`);
      }
    });

    define('i1.0/create/stage-ids-of-deal', async (server) => {
      const { sent, data } = await created(server, createDeal);
      const deal = await createDeal.read(server.partner, sent, data);
      const ids = stagesOf(deal).map(({ id }) => Number(id));
      equal([...ids].sort(), [...(data['stage_ids'] as number[])].sort(), 'the ids of the stages');
    });
  },
);

/** The stages of a deal, of which there is at least one. */
export function stagesOf({ stages }: Members): readonly Members[] {
  check(Array.isArray(stages) && stages.length > 0, `there are stages\n  actual: ${show(stages)}`);
  return stages.map((each) => membersOf(each, 'a stage'));
}

/** Money in cents. It fails the case unless it has two digits after the decimal point. */
export function centsOf(money: Json): bigint {
  const text = String(money);
  check(/^-?\d+\.\d\d$/.test(text), `money has two decimals\n  actual: ${show(money)}`);
  return BigInt(text.replace('.', ''));
}
