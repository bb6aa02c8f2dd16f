import { type Lifecycle, lifecycle } from 'dealwright/life';
import { describe, expect, it } from 'vitest';
import { acme, day, okOf, refusalOf, withOffer } from './terms-world.js';

describe('a command that comes after an end', () => {
  it('is judged by the time that a sandbox was moved to', async () => {
    const deal = await withOffer();
    await okOf(deal.marketplace.sandbox(acme).advanceClock({ advance_seconds: 20 * 86_400 }));
    deal.clock.advance(11 * day);
    expect((await deal.details()).status).toBe('created');
    expect(await refusalOf(deal.freelancer.accept())).toBe('illegal_transition');
  });

  it('is told of a notice and an end in the order of their times', async () => {
    const deal = await withOffer();
    const count = (await deal.types()).length;
    deal.clock.advance(20 * day);
    await deal.propose('freelancer', { kind: 'amendment', changes: { amount: '600.00' } });
    deal.clock.advance(15 * day);
    const { terms_sha256 } = await deal.details();
    await okOf(deal.freelancer.accept(terms_sha256 === null ? {} : { terms_sha256 }));
    expect(await deal.typesAfter(count)).toEqual([
      ...['proposal.created', 'deal.expires_soon', 'proposal.expired', 'deal.accepted'],
    ]);
  });

  it('comes after each command of the clock once, also after one that stays due', async () => {
    const nagging: Lifecycle = [
      ...lifecycle,
      {
        ...{ command: 'nag', by: ['clock'], from: ['created'], event: 'deal.nagged' },
        due: ({ deal }) => [deal.created_at],
        repeats: () => false,
      },
    ];
    const deal = await withOffer('500.00', { lifecycle: nagging });
    await okOf(deal.api.invite(deal.partner_id));
    const count = (await deal.types()).length;
    await okOf(deal.api.cancel(deal.partner_id));
    expect(await deal.typesAfter(count)).toEqual(['deal.nagged', 'deal.cancelled']);
  });

  it('goes on if a command of the clock is refused, and leaves that to the timer', async () => {
    const never: Lifecycle = lifecycle.map((rule) =>
      rule.command === 'expire'
        ? {
            ...rule,
            guards: [{ reason: 'not_due', says: 'never', holds: () => false }],
          }
        : rule,
    );
    const deal = await withOffer('500.00', { lifecycle: never });
    deal.clock.advance(31 * day);
    await okOf(deal.freelancer.accept());
    expect((await deal.details()).status).toBe('accepted');
  });

  it('counts as one of the proposals of a side what the clock has closed', async () => {
    const deal = await withOffer();
    await okOf(deal.freelancer.accept());
    const amendment = (at: number) => ({
      kind: 'amendment' as const,
      changes: { title: `Title ${at}` },
    });
    for (let at = 0; at < 499; at += 1) await deal.propose('partner', amendment(at));
    deal.clock.advance(15 * day);
    // the last one is over, and another one is the 500th
    await deal.propose('partner', amendment(499));
    expect(await refusalOf(deal.send('partner', amendment(500)))).toBe(
      'precondition_failed too_many',
    );
  });
});
