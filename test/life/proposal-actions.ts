import { createDice, type Dice } from '../faults/dice.js';
import { openProposal, proposalCommands } from './model-proposals.js';
import type { Wish } from './model-rules.js';
import {
  type Amendment,
  type Changes,
  isFinal,
  isWorking,
  least,
  type Model,
  openPrices,
  type Stage,
  type StageChange,
} from './model-state.js';
import { largest } from './states.js';

type Numbers = readonly [what: number, a: number, b: number, c: number];
const diceOf = ([what, a, b, c]: Numbers) => createDice(a * 7 + b * 131 + c * 1_000_003 + what);

const pick = <T>(dice: Dice, all: readonly T[]): T => all[dice.below(all.length)] as T;
const days = [0, -3, 1, 2, 5, 10, 30, 45, 3_000_000] as const;

/** An amount near another one. */
function near(dice: Dice, amount: bigint): bigint {
  const more = BigInt(1 + dice.below(60));
  return pick(dice, [
    ...[amount + more, amount + more, amount - more, amount / 2n, amount * 2n, more, amount],
    ...(dice.isBelow(15) ? [0n, -more, largest, largest + 1n] : []),
  ]);
}

function changed(dice: Dice, stage: Stage): StageChange {
  const { id, budget } = stage;
  const what = dice.below(6);
  if (what === 0) return { id, name: pick(dice, ['Draft', 'Final', stage.name]) };
  if (what === 1) return { id, work_days: pick(dice, days) };
  if (what === 2) return { id, name: 'Both', budget: near(dice, budget), work_days: 20 };
  return { id, budget: near(dice, budget) };
}

/** A list of stages: most keep what must be kept, some do not. */
function stagesFor(dice: Dice, { stages }: Model): StageChange[] {
  const isWild = dice.isBelow(12);
  const listed: StageChange[] = [];
  for (const stage of stages) {
    const { id, status } = stage;
    const isOpen = !/approved|paid|cancelled/.test(status);
    if (status === 'cancelled' ? !(isWild && dice.isBelow(20)) : isOpen && dice.isBelow(25))
      continue;
    if (isWild && dice.isBelow(15)) continue;
    const isMoved = isOpen ? dice.isBelow(40) : isWild && dice.isBelow(20);
    listed.push(isMoved ? changed(dice, stage) : { id });
  }
  for (let more = dice.below(3); more > 0; more -= 1) {
    const budget = dice.isBelow(10) ? near(dice, 0n) : BigInt(1 + dice.below(300));
    const work_days = dice.isBelow(50) ? { work_days: pick(dice, days) } : {};
    listed.push({ name: pick(dice, ['More', 'Again']), budget, ...work_days });
  }
  if (isWild && dice.isBelow(20)) listed.push({ id: 1_000_000_007 });
  if (listed.length === 0) return [{ name: 'Other work', budget: 70n }];
  return dice.isBelow(20) ? listed.reverse() : listed;
}

/** Changes of any part of the terms. */
export function changesFor(model: Model, numbers: Numbers): Changes {
  const dice = diceOf(numbers);
  if (dice.isBelow(isWorking(model) ? 20 : model.status === 'disputed' ? 85 : 3)) {
    const all = openPrices(model);
    const some = [all, all / 2n, all / 3n, 0n, 1n, all + 1n];
    return least(largest, pick(dice, some));
  }
  const what = dice.below(14);
  const words: Amendment = {
    ...(dice.isBelow(30) && { title: pick(dice, ['A deal', 'A better deal', 'Zażółć']) }),
    ...(dice.isBelow(15) && { description: pick(dice, ['Work', 'More\nwork', '\u{1f600}']) }),
    ...(dice.isBelow(15) &&
      model.shape.version === '2.0' && {
        copyright_transfer: pick(dice, ['none', 'license', 'full_transfer']),
      }),
  };
  if (what === 0) return { title: 'A deal', ...words };
  if (what < 4) {
    const amount = near(dice, model.amount);
    return { ...words, amount, ...(dice.isBelow(30) && { work_days: pick(dice, days) }) };
  }
  if (what === 4) return { ...words, work_days: pick(dice, days) };
  const stages = stagesFor(dice, model);
  const isSummed = dice.isBelow(20);
  const total = stages.reduce((sum, { id, budget }) => {
    const known = model.stages.find((each) => each.id === id);
    return sum + (budget ?? known?.agreed ?? known?.budget ?? 0n);
  }, 0n);
  const amount = least(largest, total + (dice.isBelow(20) ? 1n : 0n));
  return { ...words, stages, ...(isSummed && { amount }) };
}

const sides = ['partner', 'freelancer'] as const;
const other = (side: string) => (side === 'partner' ? 'freelancer' : 'partner');

/** Any command about a proposal, of any actor. */
export function anyProposal(model: Model, numbers: Numbers, actors: readonly string[]): Wish {
  const dice = diceOf(numbers);
  const name = pick(dice, proposalCommands);
  const actor = pick(dice, dice.isBelow(70) ? sides : actors);
  if (name === 'propose') return { name, actor, changes: changesFor(model, numbers) };
  const proposal = dice.below(model.proposals.length + 1);
  return { name, actor, proposal, hash: dice.isBelow(70) ? 'right' : 'wrong' };
}

/** What is likely to be done about proposals, with its weight. */
export function likelyProposals(model: Model, numbers: Numbers): readonly [number, Wish][] {
  const dice = diceOf(numbers);
  const all: [number, Wish][] = [];
  if (isFinal(model)) return all;
  const may = (weight: number, wish: Wish) => all.push([weight, wish]);
  const actor = pick(dice, sides);
  const open = openProposal(model);
  const changes = changesFor(model, numbers);
  may(open === undefined ? 2.5 : 0.7, { name: 'propose', actor, changes });
  if (isWorking(model)) {
    may(0.4, { name: 'add-bonus', actor: 'partner', bonus: BigInt(1 + dice.below(90)) });
  }
  if (open === undefined) return all;
  const proposal = model.proposals.indexOf(open);
  const answer = (name: string, by: string, hash: 'right' | 'wrong' = 'right') =>
    ({ name, actor: by, proposal, hash }) as const;
  may(6, answer('accept-proposal', other(open.by)));
  may(0.3, answer('accept-proposal', other(open.by), 'wrong'));
  may(0.5, answer('reject-proposal', other(open.by)));
  may(0.5, answer('withdraw-proposal', open.by));
  if (model.shape.version === '1.0') may(1.5, answer('accept-proposal', 'partner'));
  return all;
}
