import { createMarketplace } from 'dealwright';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { dealV2Body } from '../domain/field-tables.js';
import { createPorts } from '../kit/ports.js';
import { failingAt } from './failing-at.js';
import { acme } from './marketplace-with.js';

const start = Date.UTC(2026, 0, 1);
const month = 31 * 86_400;

/** The sandbox of a partner with a deal that nobody has accepted. */
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
      // a deal that cannot be moved on is left over: that alone is no failure of the clock
      if (answer.isOk()) expect(answer.value.due_left).toBe(true);
      else expect(answer.error).toMatchObject({ code: 'unavailable' });
      const { now } = (await sandbox.advanceClock({ advance_seconds: 1 }))._unsafeUnwrap();
      const seconds = (Date.parse(now) - start) / 1_000;
      // moved once or not at all, and what is due then is done
      expect([1, month + 1]).toContain(seconds);
      expect(await statusOf()).toBe(seconds === 1 ? 'created' : 'expired');
      if (seconds > 1) moved += 1;
    }
    expect(moved).toBeGreaterThan(2);
  });
});
