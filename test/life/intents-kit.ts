import { lifecycle } from 'dealwright/life';
import { claim, dueIntent, type Undone, undone } from '../../src/domain/life/executions.js';
import { Play } from './play.js';
import { instant } from './states.js';

/** A call that may have had its effect, unless another outcome is given. */
export const postponed = (play: Play, id: string, why: Undone = { outcome: 'unknown' }) =>
  undone(lifecycle, play.state, id, why, play.moment);

export const minute = 60_000;
export const hour = 60 * minute;

/** A deal of two stages, each with a request for payment. */
export const asked = () => new Play({ budgets: [100n, 200n] }).approved(101, 102);
/** A deal whose payout can be made. */
export function payable() {
  const play = new Play().approved(101);
  play.ofEmployer('paid', 'e1');
  return play;
}
export const idOf = (play: Play, place: number) => play.state.intent[place]?.id ?? '';
export const due = (play: Play, place: number) => play.state.intent[place]?.due_at;
export const take = (play: Play, place: number) => {
  const intent = dueIntent(play.state, idOf(play, place), instant(play.now));
  if (intent === undefined) throw new Error('it is not due');
  return play.take(claim(play.state, intent, play.moment, minute));
};
