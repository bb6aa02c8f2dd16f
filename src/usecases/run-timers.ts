import { err, ok } from 'neverthrow';
import { tick } from '../domain/life/decide.js';
import type { Context } from './context.js';
import { byPartnerId } from './find-deal.js';
import { change } from './give-command.js';
import type { DueWork } from './take-turn.js';

/** The work of the clock on a deal whose time has come (decision 6.2). */
export function timers(context: Context): DueWork<'deal'> {
  return {
    kind: 'deal',
    actor: 'clock',
    isMoved: true,
    begin(call, partner_id) {
      const finder = byPartnerId(context, call, partner_id);
      return async () => {
        const ticked = await context.commands(finder.name, () =>
          change(context, call, finder, {
            decide: (state, moment) => tick(context.lifecycle, state, moment),
            show: () => true,
          }),
        );
        if (ticked.isOk()) return ok(true);
        return ticked.error.code === 'unavailable' ? err(ticked.error) : ok({ why: ticked.error });
      };
    },
  };
}
