import { lifecycle } from 'dealwright/life';
import { claim, dueIntent, type Undone, undone } from '../../src/domain/life/executions.js';
import { Play } from './play.js';
import { instant } from './states.js';

/** What a call says that has begun nothing; of the last one, unless the number before it is given. */
type Said = Extract<Undone, { outcome: unknown }> | (Omit<Refused, 'calls'> & { calls?: number });
type Refused = Extract<Undone, { refused: unknown }>;

/** A call that may have had its effect, unless another outcome is given. */
export function postponed(play: Play, id: string, said: Said = { outcome: 'unknown' }) {
  const { attempts = 0 } = play.state.intent.find((each) => each.id === id) ?? {};
  const why: Undone = 'refused' in said ? { calls: attempts - 1, ...said } : said;
  return undone(lifecycle, play.state, id, why, play.moment);
}

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
