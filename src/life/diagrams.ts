import type { Lifecycle } from '../domain/life/rules.js';
import { describeStates, type LifeStates, type States } from './states.js';

/**
 * The states of deals, of stages and of both kinds of payments as diagrams in Mermaid
 * (`stateDiagram-v2`), with the commands on the arrows. They are those of `describeStates`. On the
 * arrows of payments, `report` stands for the command that records a report.
 *
 * @example
 * ```ts
 * import { drawStates, lifecycle } from 'dealwright/life';
 *
 * const { deal } = drawStates(lifecycle);
 * deal.startsWith('stateDiagram-v2'); // true
 * ```
 */
export function drawStates(lifecycle: Lifecycle): Readonly<Record<keyof LifeStates, string>> {
  const { deal, stage, employer_payment, contractor_payment } = describeStates(lifecycle);
  const reports = lifecycle.flatMap(({ command, requires }) =>
    requires?.includes('report') ? [command] : [],
  );
  // it is on nearly every arrow of a payment
  const shorten = (by: string) => (reports.includes(by) ? 'report' : by);
  return {
    deal: draw(deal),
    stage: draw(stage),
    employer_payment: draw(employer_payment, shorten),
    contractor_payment: draw(contractor_payment, shorten),
  };
}

function draw({ start, moves }: States, nameOf = (by: string) => by): string {
  const left = new Set(moves.filter(({ from, to }) => from !== to).map(({ from }) => from));
  const ends = [...new Set(moves.map(({ to }) => to))].filter((state) => !left.has(state));
  return [
    'stateDiagram-v2',
    `  [*] --> ${start}`,
    ...moves.map(({ from, to, by }) => `  ${from} --> ${to} : ${by.map(nameOf).join(', ')}`),
    ...ends.map((state) => `  ${state} --> [*]`),
    '',
  ].join('\n');
}
