import { createMemoryStore } from 'dealwright/memory';
import type { Store } from 'dealwright/ports';
import { createRelay } from 'dealwright/relay';
import { createManualClock } from 'dealwright/testing';
import * as fc from 'fast-check';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { countOf } from '../tiers.js';
import {
  accepted,
  acme,
  createDeal,
  killableStore,
  pass,
  type ReceivedEvent,
  refused,
  relayHost,
  relayOf,
} from './kit.js';

const subjects = ['a', 'b', 'c'];
const types = ['deal.created', 'custom.one', 'custom.two'];
const kinds = ['plain', 'ordered', 'filtered', 'handler'] as const;
type Kind = (typeof kinds)[number];

type Action =
  | { readonly do: 'emit'; readonly subject: number; readonly type: number; readonly count: number }
  | { readonly do: 'wait'; readonly milliseconds: number }
  | { readonly do: 'break' | 'mend'; readonly kind: Kind; readonly subject: number }
  | { readonly do: 'start' | 'stop' | 'kill'; readonly at: number };

const subject = fc.integer({ min: 0, max: subjects.length - 1 });
const actions = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('emit' as const),
        subject,
        type: fc.integer({ min: 1, max: 2 }),
        count: fc.integer({ min: 1, max: 4 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        milliseconds: fc.constantFrom(0, 30, 1_000, 6_000, 9_000, 400_000),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('break' as const, 'mend' as const),
        kind: fc.constantFrom(...kinds),
        subject,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('start' as const, 'stop' as const, 'kill' as const),
        at: fc.integer({ min: 0, max: 2 }),
      }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

/** Appends events of a deal, as a host's own commands do. */
async function emit(store: Store, name: string, type: string, count: number): Promise<void> {
  const attempt = ulid();
  const row = { answer_key: `attempt ${attempt}`, fingerprint: '', answer: '{}', ends_at: null };
  const committed = await store.commit(acme, {
    attempt,
    expect: [
      { absent: 'answer', key: row.answer_key },
      { present: 'deal', key: name },
    ],
    insert: [{ kind: 'answer', row }],
    change: [],
    subject: { kind: 'deal', key: name },
    events: Array.from({ length: count }, () => ({
      id: ulid(),
      type,
      subject: `deal:${name}`,
      at: '2026-01-01T00:00:00.000Z',
      actor: 'partner' as const,
      cause: null,
      data: { partner_id: name },
    })),
  });
  expect(committed._unsafeUnwrap().outcome).toBe('committed');
}

async function play(script: readonly Action[]): Promise<void> {
  const timer = createManualClock();
  const store = createMemoryStore();
  const host = relayHost(store, timer);
  for (const name of subjects) await createDeal(host.marketplace, name);
  const create = async (more: object) =>
    (await host.api.createWebhook({ url: 'https://receiver.example/', ...more }))._unsafeUnwrap();
  const urls: Record<string, Kind> = {
    'https://receiver.example/plain': 'plain',
    'https://receiver.example/ordered': 'ordered',
    'https://receiver.example/filtered': 'filtered',
  };
  await create({ url: 'https://receiver.example/plain' });
  await create({ url: 'https://receiver.example/ordered', ordered: true });
  await create({ url: 'https://receiver.example/filtered', types: ['custom.two'], ordered: true });

  const broken = new Set<string>();
  const isBroken = (kind: Kind, event: ReceivedEvent) => broken.has(`${kind} ${event.subject}`);
  const delivered: Record<Kind, ReceivedEvent[]> = {
    plain: [],
    ordered: [],
    filtered: [],
    handler: [],
  };
  let kills = 0;
  const begin = () => {
    const killable = killableStore(store);
    const own = relayHost(killable.store, timer);
    let isDead = false;
    own.receivers.answer = ({ url, body }) => {
      const event = JSON.parse(body) as ReceivedEvent;
      const kind = urls[url] ?? 'plain';
      if (isDead) return new Promise(() => undefined);
      if (isBroken(kind, event)) return refused;
      delivered[kind].push(event);
      return accepted;
    };
    const relay = relayOf(own.marketplace);
    const subscription = createRelay(own.marketplace).subscribe(
      (event) => {
        if (isDead) return new Promise(() => undefined);
        if (isBroken('handler', event)) throw new Error('broken');
        delivered.handler.push(event);
        return undefined;
      },
      { environments: ['sandbox'] },
    );
    return {
      stop: async () => {
        await Promise.all([relay.stop(), subscription.stop()]);
      },
      kill() {
        kills += 1;
        isDead = true;
        killable.kill();
      },
    };
  };
  const relays: (ReturnType<typeof begin> | undefined)[] = [begin()];
  for (const action of script) {
    switch (action.do) {
      case 'emit':
        await emit(store, subjects[action.subject] ?? '', types[action.type] ?? '', action.count);
        break;
      case 'wait':
        await pass(timer, action.milliseconds);
        break;
      case 'break':
      case 'mend': {
        const key = `${action.kind} deal:${subjects[action.subject]}`;
        if (action.do === 'break') broken.add(key);
        else broken.delete(key);
        break;
      }
      case 'start':
        relays[action.at] ??= begin();
        break;
      case 'stop':
        await relays[action.at]?.stop();
        relays[action.at] = undefined;
        break;
      case 'kill':
        relays[action.at]?.kill();
        relays[action.at] = undefined;
        break;
    }
  }
  broken.clear();
  const last = begin();
  // a working relay does not pause for an hour
  await pass(timer, 1_000);
  for (let hours = 0; hours < 4; hours += 1) {
    timer.advance(3_600_000);
    await pass(timer, 2_000);
  }
  await last.stop();
  await Promise.all(relays.map((relay) => relay?.stop()));

  const feed: ReceivedEvent[] = [];
  for (let next: string | undefined; ; ) {
    const page = await host.api.listEvents({ page_size: 100, ...(next && { after: next }) });
    const { results, next: after } = page._unsafeUnwrap();
    if (results.length === 0) break;
    feed.push(...results);
    next = after;
  }
  const wanted: Record<Kind, readonly ReceivedEvent[]> = {
    // events before the webhook, and events about itself, are not sent to it
    plain: feed.filter(({ type }) => type.startsWith('custom.')),
    ordered: feed.filter(({ type }) => type.startsWith('custom.')),
    filtered: feed.filter(({ type }) => type === 'custom.two'),
    handler: feed,
  };
  for (const kind of kinds) {
    const got = delivered[kind].filter(
      ({ subject }) => kind === 'handler' || !subject.startsWith('webhook:'),
    );
    const firsts = [...new Map(got.map((event) => [event.id, event])).values()];
    const ids = (events: readonly ReceivedEvent[]) => events.map(({ id }) => id).sort();
    expect(ids(firsts), `${kind}: every event`).toStrictEqual(ids(wanted[kind]));
    if (kills === 0) expect(got.length, `${kind}: once`).toBe(firsts.length);
    if (kind === 'plain') continue;
    for (const name of subjects) {
      const own = firsts.filter(({ subject }) => subject === `deal:${name}`);
      const sequences = own.map(({ sequence }) => sequence);
      expect(sequences, `${kind}: in order`).toStrictEqual([...sequences].sort((a, b) => a - b));
    }
  }
}

describe('relays of which some fail, stop or die', () => {
  it('deliver every event, those of a subject in their order, and once if none died', async () => {
    await fc.assert(fc.asyncProperty(actions, play), {
      numRuns: countOf('RELAY_RUNS', 25, 200),
    });
  }, 600_000);
});
