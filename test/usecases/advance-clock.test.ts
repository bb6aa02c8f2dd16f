import { createMarketplace, type Unavailable } from 'dealwright';
import { type Store, unavailable } from 'dealwright/ports';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { failingAt } from './failing-at.js';
import { acme } from './marketplace-with.js';

const start = Date.UTC(2026, 0, 1);
const month = 31 * 86_400;

/** The sandbox of a partner with a deal that is not accepted. */
async function withDeal() {
  const clock = createManualClock(start);
  const ports = { ...createPorts(), clock, timer: clock };
  const marketplace = createMarketplace(ports);
  const api = marketplace.partner(acme);
  (await api.createDealV2(dealV2Body))._unsafeUnwrap();
  const statusOf = async () =>
    (await api.retrieveDealDetails(dealV2Body.partner_id))._unsafeUnwrap().status;
  return { ports, sandbox: marketplace.sandbox(acme), statusOf };
}

describe('the clock of a sandbox', () => {
  it.each([
    [{}, 'required'],
    [{ advance_seconds: 0 }, 'out_of_range'],
    [{ advance_seconds: 1.5 }, 'not_an_integer'],
    [{ advance_seconds: 316_000_000 }, 'out_of_range'],
  ])('is not moved by %j', async (input, code) => {
    const { sandbox, statusOf } = await withDeal();
    const refused = (await sandbox.advanceClock(input as never))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ code }] });
    expect(await statusOf()).toBe('created');
    const { now } = (await sandbox.advanceClock({ advance_seconds: 1 }))._unsafeUnwrap();
    expect(now).toBe(new Date(start + 1_000).toISOString());
  });

  it('goes no further than to where a deadline can be written', async () => {
    const { sandbox } = await withDeal();
    const tenYears = { advance_seconds: 315_360_000 };
    let last = '';
    let refused: unknown;
    for (let at = 0; at < 800 && refused === undefined; at += 1) {
      const moved = await sandbox.advanceClock(tenYears);
      if (moved.isOk()) last = moved.value.now;
      else refused = moved.error;
    }
    expect(refused).toMatchObject({ errors: [{ code: 'out_of_range' }] });
    expect(last.slice(0, 3)).toBe('899');
  });

  it('says that a port failed, whichever of its calls it was, and goes on from there', async () => {
    let moved = 0;
    for (let nth = 1; ; nth += 1) {
      const { ports, sandbox, statusOf } = await withDeal();
      const failing = failingAt(ports, nth);
      const broken = createMarketplace(failing.ports).sandbox(acme);
      const answer = await broken.advanceClock({ advance_seconds: month });
      if (!failing.isReached()) {
        expect(answer._unsafeUnwrap().due_left).toBe(false);
        break;
      }
      const { now } = (await sandbox.advanceClock({ advance_seconds: 1 }))._unsafeUnwrap();
      const seconds = (Date.parse(now) - start) / 1_000;
      // moved once or not at all, and the work due then is done
      expect([1, month + 1]).toContain(seconds);
      // work that cannot be done then is left: that alone is not a failure of the clock
      if (answer.isOk()) {
        const then = new Date(start + month * 1_000).toISOString();
        expect([seconds, answer.value]).toEqual([month + 1, { now: then, due_left: true }]);
      } else {
        const { code, outcome } = answer.error as Unavailable;
        expect([code, outcome === 'unknown' || seconds === 1]).toEqual(['unavailable', true]);
      }
      expect(await statusOf()).toBe(seconds === 1 ? 'created' : 'expired');
      if (seconds > 1) moved += 1;
    }
    expect(moved).toBeGreaterThan(2);
  });

  it.each([
    ['one read of what is due', 1],
    ['every read of what is due', Number.POSITIVE_INFINITY],
  ])('answers the time that it has moved to, though %s fails', async (_, times) => {
    const { ports } = await withDeal();
    let left = times;
    const due: Store['due'] = (...given) =>
      left-- > 0 ? unavailable({ outcome: 'none' }) : ports.store.due(...given);
    const { sandbox } = createMarketplace({ ...ports, store: { ...ports.store, due } });
    const answer = await sandbox(acme).advanceClock({ advance_seconds: 60 });
    const now = new Date(start + 60_000).toISOString();
    expect(answer._unsafeUnwrap()).toEqual({ now, due_left: true });
  });

  it('says that it may have moved, if it cannot say to when', async () => {
    const { ports } = await withDeal();
    let isDown = false;
    const commit: Store['commit'] = async (...given) => {
      const committed = await ports.store.commit(...given);
      isDown = true;
      return committed;
    };
    const clock = { now: () => (isDown ? Number.NaN : ports.clock.now()) };
    const broken = createMarketplace({ ...ports, clock, store: { ...ports.store, commit } });
    const answer = await broken.sandbox(acme).advanceClock({ advance_seconds: 60 });
    expect(answer._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
  });

  it('leaves what the store refuses, and gives all the others', async () => {
    const { ports } = await withDeal();
    const api = createMarketplace(ports).partner(acme);
    for (let at = 0; at < 60; at += 1) {
      const partner_id = at < 40 ? `bad-${at}` : `good-${at}`;
      (await api.createDealV2({ ...dealV2Body, partner_id }))._unsafeUnwrap();
    }
    const commit: Store['commit'] = (tenant, write) =>
      String(write.subject?.key).startsWith('bad')
        ? unavailable({ outcome: 'none', retryable: false })
        : ports.store.commit(tenant, write);
    const { sandbox } = createMarketplace({ ...ports, store: { ...ports.store, commit } });
    const answer = await sandbox(acme).advanceClock({ advance_seconds: month });
    expect(answer._unsafeUnwrap()).toMatchObject({ due_left: true });
    const query = { status: 'created', page_size: 100 } as const;
    const { results } = (await api.listDeals(query))._unsafeUnwrap();
    expect(results.filter(({ partner_id }) => !partner_id.startsWith('bad'))).toEqual([]);
  });
});
