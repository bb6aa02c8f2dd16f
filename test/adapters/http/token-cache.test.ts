import type { Tenant } from 'dealwright';
import { createManualClock } from 'dealwright/testing';
import { Ok, ok } from 'neverthrow';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { acme, ask, createService, type Wiring } from './service.js';

/** A service whose authenticator counts, and knows the tokens of a set. */
function counting(wiring: Wiring = {}) {
  const timer = createManualClock();
  const good = new Set(['a', 'b', 'c']);
  const asked: string[] = [];
  const authenticator = {
    authenticate(token: string) {
      asked.push(token);
      return ok<Tenant | undefined>(good.has(token) ? acme : undefined);
    },
  };
  const ports = { ...createPorts(), timer };
  const service = createService({ ports, authenticator, ...wiring });
  /** 404: the token was valid. */
  const status = async (token: string) =>
    (await ask(service, '/api/nothing', { headers: { authorization: `Token ${token}` } })).status;
  return { timer, good, asked, status };
}

test('a good token is asked for once, and again after 60 seconds: a revocation bites', async () => {
  const { timer, good, asked, status } = counting();
  expect(await status('a')).toBe(404);
  good.delete('a');
  timer.advance(59_999);
  expect(await status('a')).toBe(404);
  expect(asked).toEqual(['a']);
  timer.advance(1);
  expect(await status('a')).toBe(401);
  expect(asked).toEqual(['a', 'a']);
});

test('a good token stays remembered no longer for being used', async () => {
  const { timer, asked, status } = counting({ tokenCacheAge: 100 });
  for (let at = 0; at <= 100; at += 20) {
    await status('a');
    timer.advance(20);
  }
  expect(asked).toEqual(['a', 'a']);
});

test('the age counts from the question, however long the answer takes', async () => {
  const timer = createManualClock();
  const ports = { ...createPorts(), timer };
  let asked = 0;
  const authenticator = {
    authenticate() {
      asked += 1;
      timer.advance(5_000);
      return ok(acme);
    },
  };
  const service = createService({ ports, authenticator });
  const headers = { authorization: 'Token a' };
  await ask(service, '/api/', { headers });
  timer.advance(54_999);
  await ask(service, '/api/', { headers });
  expect(asked).toBe(1);
  timer.advance(1);
  await ask(service, '/api/', { headers });
  expect(asked).toBe(2);
});

test('a token that is no good is never remembered', async () => {
  const { good, asked, status } = counting();
  expect(await status('new')).toBe(401);
  expect(await status('new')).toBe(401);
  good.add('new');
  expect(await status('new')).toBe(404);
  expect(asked).toEqual(['new', 'new', 'new']);
});

/** A service whose authenticator answers when the test allows it, and counts. */
function gated(wiring: Wiring = {}) {
  const timer = createManualClock();
  const gates: ((value: Tenant | undefined) => void)[] = [];
  const authenticator = {
    authenticate: () =>
      new Promise<Ok<Tenant | undefined, never>>((resolve) => {
        gates.push((value) => resolve(new Ok(value)));
      }),
  };
  const service = createService({ ports: { ...createPorts(), timer }, authenticator, ...wiring });
  const status = async (token: string) =>
    (await ask(service, '/api/nothing', { headers: { authorization: `Token ${token}` } })).status;
  return { timer, gates, status };
}

test('many who come with one token at once wait for one question, first and after its time', async () => {
  const { timer, gates, status } = gated();
  for (const asked of [1, 2]) {
    const all = Array.from({ length: 100 }, () => status('a'));
    const other = status('b');
    await Promise.resolve();
    expect(gates.length).toBe(asked * 2);
    gates.at(-2)?.(acme);
    gates.at(-1)?.(undefined);
    expect(new Set(await Promise.all(all))).toEqual(new Set([404]));
    expect(await other).toBe(401);
    timer.advance(60_000);
  }
});

test('who comes when a question is as old as an answer may be asks anew', async () => {
  const { timer, gates, status } = gated({ tokenCacheAge: 100 });
  const early = status('a');
  timer.advance(99);
  const joined = status('a');
  timer.advance(1);
  const late = status('a');
  await Promise.resolve();
  expect(gates.length).toBe(2);
  gates[0]?.(acme);
  gates[1]?.(undefined);
  expect(await Promise.all([early, joined, late])).toEqual([404, 404, 401]);
});

test('a question that is answered with no is forgotten, and size 0 shares none', async () => {
  const { gates, status } = gated();
  for (const asked of [1, 2]) {
    const refused = status('a');
    await Promise.resolve();
    expect(gates.length).toBe(asked);
    gates.at(-1)?.(undefined);
    expect(await refused).toBe(401);
  }
  const apart = gated({ tokenCacheSize: 0 });
  const both = [apart.status('a'), apart.status('a')];
  await Promise.resolve();
  expect(apart.gates.length).toBe(2);
  for (const open of apart.gates) open(acme);
  expect(await Promise.all(both)).toEqual([404, 404]);
});

test('the oldest is forgotten if there are too many', async () => {
  const { asked, status } = counting({ tokenCacheSize: 2 });
  for (const token of ['a', 'b', 'c', 'b', 'c', 'a']) expect(await status(token)).toBe(404);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('size 0 asks each time', async () => {
  const { asked, status } = counting({ tokenCacheSize: 0 });
  for (const token of ['a', 'a']) await status(token);
  expect(asked).toEqual(['a', 'a']);
});

test('a clock that is set back makes no answer younger', async () => {
  const { timer, asked, status } = counting();
  await status('a');
  timer.advance(-1);
  await status('a');
  expect(asked).toEqual(['a', 'a']);
});

test('tokens are remembered by their digests alone', async () => {
  const digests: string[] = [];
  const ports = createPorts();
  const digest = (text: string) => {
    digests.push(text);
    return ports.digest(text);
  };
  const { asked, status } = counting({ digest });
  await status('a');
  await status('a');
  expect([digests, asked]).toEqual([['a', 'a'], ['a']]);
});
