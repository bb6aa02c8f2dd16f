import { createMarketplace } from 'dealwright';
import { createManualClock } from 'dealwright/testing';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { dealV2 } from '../kit/requests.js';

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const text = 'a'.repeat(16_000);

/** The partner of a marketplace with a large deal and a small one, and what its meter was told. */
async function createMeasured() {
  const timer = createManualClock();
  const marketplace = createMarketplace({ ...createPorts(), timer });
  const told: number[] = [];
  const api = marketplace.partner(acme, (size) => told.push(size));
  for (const [partner_id, description] of [
    ['large', text],
    ['small', 'A logo'],
  ] as const) {
    expect((await api.createDealV2({ ...dealV2, partner_id, description })).isOk()).toBe(true);
  }
  told.length = 0;
  const ended: string[] = [];
  const read = (name: string) =>
    void api
      .retrieveDealDetails(name)
      .then((answer) => ended.push(answer.isOk() ? name : 'failed'));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** The deals that were read once so many milliseconds more have passed. */
  const readAfter = async (milliseconds: number) => {
    await settle();
    timer.advance(milliseconds);
    await settle();
    return ended.splice(0);
  };
  return { timer, told, read, readAfter };
}

describe('a caller that is measured', () => {
  it('pays for each read, and for what it finds', async () => {
    const { told, read, readAfter } = await createMeasured();
    read('small');
    await readAfter(0);
    expect(told).toHaveLength(1);
    expect(told[0]).toBeGreaterThan(8_192 + 500);
    expect(told[0]).toBeLessThan(8_192 + 8_192);
  });

  it('waits if it reads much, with one request after the other', async () => {
    const { read, readAfter } = await createMeasured();
    for (let at = 0; at < 3; at += 1) read('large');
    expect(await readAfter(1)).toEqual([]);
    expect(await readAfter(1)).toEqual(['large']);
    expect(await readAfter(1)).toEqual([]);
    expect(await readAfter(1)).toEqual(['large']);
    expect(await readAfter(2)).toEqual(['large']);
  });

  it('waits for many small reads in a row, but not for a few now and then', async () => {
    const { read, readAfter } = await createMeasured();
    for (let at = 0; at < 20; at += 1) read('small');
    const atOnce = await readAfter(0);
    expect(atOnce.length).toBeGreaterThan(2);
    expect(atOnce.length).toBeLessThan(20);
    expect(await readAfter(40)).toHaveLength(20 - atOnce.length);
    for (let at = 0; at < 20; at += 1) {
      read('small');
      expect(await readAfter(5)).toEqual(['small']);
    }
  });

  it('waits no longer for a clock that went back', async () => {
    const { timer, read, readAfter } = await createMeasured();
    read('large');
    expect(await readAfter(2)).toEqual(['large']);
    timer.advance(-3_600_000);
    read('large');
    expect(await readAfter(252)).toEqual(['large']);
  });
});
