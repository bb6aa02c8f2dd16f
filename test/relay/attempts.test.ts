import { type Row, type SecretKeeper, unavailable } from 'dealwright/ports';
import * as fc from 'fast-check';
import { ok } from 'neverthrow';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import {
  deliveryOf,
  handlerPauseAfter,
  pauseAfter,
  withAttempt,
} from '../../src/domain/events/webhook.js';
import { createDeal, pass, relayHost, relayOf } from './kit.js';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const schedule = [5 * second, 5 * minute, 30 * minute].concat(
  [2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
);
const anyUlid = fc
  .tuple(fc.nat(), fc.uint8Array({ minLength: 16, maxLength: 16 }))
  .map(([time, bytes]) => {
    let at = 0;
    return ulid(time).slice(0, 10) + ulid(time, () => (bytes[at++ % 16] ?? 0) / 256).slice(10);
  });

describe('the pauses between attempts', () => {
  it('are those of the schedule, within 10 %, and none after the last', () => {
    fc.assert(
      fc.property(anyUlid, fc.integer({ min: 1, max: 20 }), (id, tries) => {
        const [pause, planned] = [pauseAfter(tries, id), schedule[tries - 1]];
        expect(pause === undefined).toBe(planned === undefined);
        const [actual, expected] = [pause ?? 0, planned ?? 0];
        expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.1 * expected + 0.5);
      }),
    );
  });

  it('of a handler double up to five minutes, within 10 %, without an end', () => {
    fc.assert(
      fc.property(anyUlid, fc.integer({ min: 1, max: 10_000 }), (id, tries) => {
        const planned = Math.min(second * 2 ** (tries - 1), 5 * minute);
        const pause = handlerPauseAfter(tries, id);
        expect(Math.abs(pause - planned)).toBeLessThanOrEqual(0.1 * planned + 0.5);
      }),
    );
  });

  it('are spread over all of it, also those of one millisecond', () => {
    const now = Date.UTC(2026, 0, 1);
    for (const [at, planned] of schedule.entries()) {
      const counts = Array<number>(10).fill(0);
      for (let count = 0; count < 1_000; count += 1) {
        const part = ((pauseAfter(at + 1, ulid(now)) ?? 0) / planned - 0.9) / 0.2;
        const bucket = Math.min(9, Math.max(0, Math.floor(part * 10)));
        counts[bucket] = (counts[bucket] ?? 0) + 1;
      }
      // 100 of each are expected
      expect(Math.min(...counts)).toBeGreaterThan(40);
      expect(Math.max(...counts)).toBeLessThan(160);
    }
  });
});

const shown = (attempts: string | undefined) =>
  deliveryOf({ attempts: attempts ?? '[]' } as Row<'delivery'>).attempts;

describe('the attempts of a delivery', () => {
  const attempt = (number: number) => ({
    at: '2026-01-01T00:00:00.000Z',
    status_code: number,
    error: null,
    response: 'ok',
  });

  it('are kept in their order, the last fifty of them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), (count) => {
        let attempts: string | undefined;
        for (let number = 1; number <= count; number += 1) {
          attempts = withAttempt(
            attempts === undefined ? undefined : { attempts },
            attempt(number),
          );
        }
        const first = Math.max(1, count - 49);
        const kept = Array.from({ length: count - first + 1 }, (_, at) => ({
          ...attempt(first + at),
          response: first + at === count ? 'ok' : null,
        }));
        expect(shown(attempts)).toStrictEqual(kept);
      }),
    );
  });

  it('are read as versions before kept them, and go on from there', () => {
    const before = JSON.stringify([attempt(500)]);
    expect(shown(before)).toStrictEqual([attempt(500)]);
    const after = withAttempt({ attempts: before }, attempt(200));
    expect(shown(after)).toStrictEqual([{ ...attempt(500), response: null }, attempt(200)]);
  });

  it('keep the first 100 characters of a response, though a sender gives more', async () => {
    const host = relayHost();
    const webhook = (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
    host.receivers.answer = () => ({ status_code: 200, response: 'x'.repeat(100_000) });
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const { results } = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap();
    expect(results[0]?.attempts[0]?.response).toBe('x'.repeat(100));
    await relay.stop();
  });

  it.each([
    ['secret_unavailable', { seal: () => ok('sealed'), open: () => ok('') }],
    ['secret_unavailable', { seal: () => ok('sealed'), open: () => Promise.reject(new Error()) }],
  ])('say %s if a secret cannot be read', async (error, secrets) => {
    const host = relayHost(undefined, undefined, { secrets });
    const webhook = (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const { results } = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap();
    expect(results[0]).toMatchObject({ status: 'pending', attempts: [{ error, response: null }] });
    await relay.stop();
  });

  it.each<[string, () => ReturnType<SecretKeeper['open']>]>([
    ['is lost', () => unavailable({ outcome: 'none', retryable: false, cause: 'missing_key' })],
    ['is not found now', () => Promise.reject(new Error('no connection'))],
    ['is empty', () => ok('')],
  ])('are signed with the present secret alone if the previous one %s', async (_, open) => {
    let count = 0;
    const seal = () => {
      count += 1;
      return ok(`sealed ${count}`);
    };
    const secrets: SecretKeeper = {
      seal,
      open: (_, text) => (text === 'sealed 1' ? open() : ok('new')),
    };
    const host = relayHost(undefined, undefined, { secrets });
    const webhook = (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
    (await host.api.rotateWebhook(webhook.id))._unsafeUnwrap();
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const { results } = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap();
    expect(results[0]).toMatchObject({ status: 'delivered', attempts: [{ error: null }] });
    expect(host.receivers.received[0]?.secrets).toEqual(['new']);
    await relay.stop();
  });

  it.each([
    ['sender_failed', () => Promise.reject(new Error('no socket'))],
    ['timeout', () => ({ error: 'timeout' as const })],
    ['connection_failed', () => ({ error: 'connection_failed' as const })],
  ])('say %s if there is no response', async (error, answer) => {
    const host = relayHost();
    const webhook = (await host.api.createWebhook({ url: 'https://a.example/' }))._unsafeUnwrap();
    host.receivers.answer = answer;
    const relay = relayOf(host.marketplace);
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const { results } = (await host.api.listDeliveries(webhook.id))._unsafeUnwrap();
    expect(results[0]).toMatchObject({ status: 'pending', attempts: [{ error, response: null }] });
    await relay.stop();
    expect(relay.failures).toEqual([]);
  });
});

describe('the events of a webhook', () => {
  it('is every event of the types that it wants but those of itself', async () => {
    const host = relayHost();
    const create = async (name: string, types: string[]) =>
      (await host.api.createWebhook({ url: `https://${name}.example/`, types }))._unsafeUnwrap();
    const all = await create('all', []);
    const hooks = await create('hooks', ['webhook.rotated']);
    const deals = await create('deals', ['deal.created', 'webhook.test']);
    const relay = relayOf(host.marketplace);
    for (const { id } of [all, hooks]) (await host.api.rotateWebhook(id))._unsafeUnwrap();
    await createDeal(host.marketplace, 'a');
    await pass(host.timer);
    const told = (name: string) =>
      host.receivers.received
        .filter(({ url }) => url === `https://${name}.example/`)
        .map(({ event: { type, subject } }) => `${type} ${subject}`)
        .sort();
    expect(told('all')).toEqual([
      'deal.created deal:a',
      ...[hooks, deals].map(({ id }) => `webhook.created webhook:${id}`).sort(),
      `webhook.rotated webhook:${hooks.id}`,
    ]);
    expect(told('all').some((each) => each.endsWith(all.id))).toBe(false);
    expect(told('hooks')).toEqual([`webhook.rotated webhook:${all.id}`]);
    expect(told('deals')).toEqual(['deal.created deal:a']);
    await relay.stop();
  });
});
