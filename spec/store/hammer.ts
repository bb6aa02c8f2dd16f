import * as fc from 'fast-check';
import type { Tenant } from '../../src/domain/values/tenant.js';
import { type Answer, type PortFailure, unavailable } from '../../src/ports/answer.js';
import type { Store } from '../../src/ports/store.js';
import type { CommitOutcome, WriteSet } from '../../src/ports/write-set.js';
import { check, show } from '../expectations.js';
import { withFault } from '../faults.js';
import { type Asked, checkHammered, type Told } from './hammer-check.js';
import { parts } from './session.js';
import { nextId, type StoreSubject } from './subject.js';
import {
  absent,
  claim,
  consumption,
  creation,
  delivery,
  eventOf,
  move,
  present,
  provided,
  registration,
  under,
  upload,
  webhookWrite,
} from './writes.js';

/** The options of hammering a store. */
export interface HammerOptions {
  readonly clients: number;
  /** For all clients together. */
  readonly calls: number;
  /** The same seed gives the same calls, though not in the same order. */
  readonly seed: number;
  /** Called before each call: to end a connection, to kill a backend. */
  readonly before?: (call: number) => PromiseLike<void> | void;
  /** Called before a write whose answer was lost is sent again. */
  readonly again?: (failure: PortFailure) => PromiseLike<void> | void;
}

/** The result of the calls. */
export interface HammerReport {
  readonly committed: number;
  readonly refused: number;
  readonly reads: number;
  /** How often a write was sent again. */
  readonly sentAgain: number;
  /** How many were not committed, as the store failed before it did anything. */
  readonly failed: number;
}

const anyStep = () =>
  fc.record({
    does: fc.constantFrom(
      ...(['create', 'create', 'create', 'register', 'upload', 'upload'] as const),
      ...(['move', 'read', 'again', 'claim'] as const),
    ),
    who: fc.nat(2),
    name: fc.nat(4),
    key: fc.option(fc.nat(5), { nil: undefined }),
    isBound: fc.boolean(),
    count: fc.integer({ min: 1, max: 3 }),
  });
const sampleSteps = (seed: number, numRuns: number) => fc.sample(anyStep(), { seed, numRuns });
type Step = ReturnType<typeof sampleSteps>[number];

/** A created deal: later calls use one of its stages, and its token. */
interface Known {
  readonly partner_id: string;
  readonly stage: number;
  readonly token: string;
}

/** One of a few times, so that several deals are due at one. */
const timeOf = (nth: number) => `2026-01-01T00:00:0${nth % 10}.000Z`;

/** The last deliveries of a consumer. */
const rangeOf = (under: string, limit: number) =>
  ({ under, direction: 'descending', limit }) as const;

/**
 * Sends writes and reads of many clients at once, with shared names and keys, and sends a write
 * again if its answer was lost. Then it compares all answers with all stored records, and throws if
 * no order of the calls explains both.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { hammerStore } from 'dealwright/spec';
 *
 * const store = { ...createMemoryStore(), close: async () => undefined };
 * const report = await hammerStore([store], { clients: 8, calls: 100, seed: 1 });
 * ```
 */
export async function hammerStore(
  stores: readonly StoreSubject[],
  options: HammerOptions,
): Promise<HammerReport> {
  const { clients, calls, seed } = options;
  const steps = sampleSteps(seed, calls);
  const run = nextId();
  const tenants: readonly Tenant[] = [
    { environment: 'sandbox', partner: `acme ${run}` },
    { environment: 'sandbox', partner: `globex ${run}` },
    { environment: 'production', partner: `acme ${run}` },
  ];
  const told: Told[] = [];
  const stages = new Map<Tenant, Known[]>();
  const sent: (readonly [Tenant, WriteSet])[] = [];
  let [now, taken, sentAgain] = [0, 0, 0];

  const answerOf = async (store: Store, tenant: Tenant, write: WriteSet) => {
    let isUnknown = false;
    let said = '';
    for (let time = 0; time < 1000; time += 1) {
      const answer = await store.commit(tenant, write);
      if (answer.isOk()) return answer.value;
      isUnknown ||= answer.error.outcome === 'unknown';
      if (!isUnknown) return undefined;
      sentAgain += 1;
      said = show(answer.error);
      await options.again?.(answer.error);
    }
    throw new Error(`a write was sent a thousand times, and never answered: ${said}`);
  };
  const send = async (store: Store, tenant: Tenant, write: WriteSet) => {
    now += 1;
    const start = now;
    sent.push([tenant, write]);
    const answer = await answerOf(store, tenant, write);
    now += 1;
    told.push({ tenant, start, end: now, asked: { write }, answer });
    return answer?.outcome === 'committed';
  };
  const read = async <T>(tenant: Tenant, what: string, ask: () => Answer<T>, of: Asked['of']) => {
    now += 1;
    const start = now;
    const answer = await ask();
    now += 1;
    if (answer.isErr()) return undefined;
    told.push({ tenant, start, end: now, asked: { what, of }, answer: { read: answer.value } });
    return answer.value;
  };
  const readDeal = ({ deals }: Store, tenant: Tenant, partner_id: string) =>
    read(
      tenant,
      `the deal ${partner_id}`,
      () => deals.byPartnerId(tenant, partner_id, parts),
      (model) => model.deal(tenant, partner_id),
    );
  const readToken = ({ deals }: Store, tenant: Tenant, token: string) =>
    read(
      tenant,
      `the deal of ${token}`,
      () => deals.byPaymentToken(tenant, token, []),
      (model) => {
        const holder = model.tokenHolder(tenant, token);
        return holder && { deal: model.deal(tenant, holder)?.deal };
      },
    );
  const readDue = (store: Store, tenant: Tenant, before: string, limit: number) =>
    read(
      tenant,
      `the first ${limit} deals that are due at ${before}`,
      () => store.due(tenant, 'deal', before, limit),
      (model) => model.due(tenant, 'deal', before, limit),
    );

  /** Claims a consumer as it was read: of several claims at once one succeeds. */
  const takeConsumer = async (store: Store, tenant: Tenant, name: string, step: Step) => {
    const found = await read(
      tenant,
      `the consumer ${name}`,
      () => store.records.byKey(tenant, 'consumer', name),
      (model) => model.of(tenant).find('consumer', name),
    );
    const subject = { kind: 'webhook', key: name } as const;
    const events = [eventOf('webhook', name)];
    if (found === undefined) {
      const write = consumption(name);
      const insert = [...write.insert, ...webhookWrite(name).insert];
      return void (await send(store, tenant, { ...write, insert, subject, events }));
    }
    const lease = nextId();
    const write = claim(name, step.isBound ? [found.lease] : [found.lease, null], lease);
    const told = { ...provided(write, present('webhook', name)), subject, events };
    const { insert } = delivery(name, lease, { due_at: timeOf(step.name) });
    const expect = [absent('delivery', lease), ...told.expect];
    await send(store, tenant, { ...told, expect, insert });
    await read(
      tenant,
      `the last ${step.count} deliveries of ${name}`,
      () => store.records.list(tenant, 'delivery', rangeOf(name, step.count)),
      (model) => model.records(tenant, 'delivery', rangeOf(name, step.count)),
    );
  };

  const take = async (store: Store, step: Step, at: number) => {
    const tenant = tenants[step.who] as Tenant;
    // the few shared names change after a while
    const round = Math.floor(at / 150);
    const contractor = `${run} ${round} ${step.name % 3}`;
    const known = stages.get(tenant) ?? [];
    stages.set(tenant, known);
    const deal = known.at(-1 - (step.name % 2)) ?? {
      partner_id: 'none',
      stage: Number.MAX_SAFE_INTEGER,
      token: 'none',
    };
    const keyed = (write: WriteSet) =>
      step.key === undefined
        ? write
        : under(`${step.does} ${round} ${step.key}`, write, { fingerprint: `${at}` });
    if (step.does === 'claim') {
      await takeConsumer(store, tenant, `${round} ${step.name % 2}`, step);
    } else if (step.does === 'register') {
      await send(store, tenant, keyed(registration(contractor)));
    } else if (step.does === 'create') {
      const first = await store.reserve(tenant.environment, 1 + step.count);
      if (first.isErr()) return;
      const own = Array.from({ length: 1 + step.count }, (_, each) => first.value + each);
      const partner_id = `${round} ${step.name}`;
      const [payment_token, due_at] = [`token ${first.value}`, timeOf(at)];
      const write = creation(partner_id, own, { payment_token, due_at });
      const bound = step.isBound ? provided(write, present('contractor', contractor)) : write;
      const isMade = await send(store, tenant, keyed(bound));
      if (isMade) known.push({ partner_id, stage: first.value + 1, token: payment_token });
    } else if (step.does === 'upload') {
      // near the number of files, while the deal is one of the last
      const than = step.isBound ? 1 + (at % 12) : 1000;
      await send(store, tenant, keyed(upload(deal.partner_id, deal.stage, {}, than)));
    } else if (step.does === 'again') {
      const earlier = sent.at(-1 - step.name);
      if (earlier !== undefined) await send(store, ...earlier);
    } else {
      if (step.does === 'read' && step.isBound) {
        await readToken(store, tenant, deal.token);
        return void (await readDue(store, tenant, timeOf(at), step.count));
      }
      const found = await readDeal(store, tenant, deal.partner_id);
      if (step.does === 'read' || found === undefined) return;
      const status = step.isBound ? 'accepted' : 'delivered';
      const due_at = step.name === 0 ? null : timeOf(at * step.name);
      const write = move(deal.partner_id, found.deal.version, { status, due_at }, step.count);
      // a write without a record of its own is recognized by its attempt
      await send(store, tenant, under(`move ${write.attempt}`, write));
    }
  };

  try {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const store = stores[client % stores.length] as StoreSubject;
        for (let at = taken++; at < calls; at = taken++) {
          await options.before?.(at);
          await take(store, steps[at] as Step, at);
        }
      }),
    );
    check(stores[0] !== undefined, 'there is a store to hammer');
    await checkHammered(stores[0], told);
  } catch (cause) {
    throw new Error(`hammerStore failed with the seed ${seed}: ${String(cause)}`, { cause });
  }
  const count = (outcome: CommitOutcome['outcome']) =>
    told.filter(({ answer }) => answer && 'outcome' in answer && answer.outcome === outcome).length;
  return {
    committed: count('committed'),
    refused: count('refused'),
    reads: told.filter(({ answer }) => answer && 'read' in answer).length,
    sentAgain,
    failed: told.filter(({ answer }) => answer === undefined).length,
  };
}

/**
 * A store that loses the answers of some writes: before it does anything, or after it.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from 'dealwright/memory';
 * import { losingAnswers } from 'dealwright/spec';
 *
 * const store = { ...createMemoryStore(), close: async () => undefined };
 * const lossy = losingAnswers(store, (nth) => (nth % 9 === 0 ? 'after' : undefined));
 * ```
 */
export function losingAnswers(
  store: StoreSubject,
  isLost: (nth: number) => 'before' | 'after' | undefined,
): StoreSubject {
  let nth = 0;
  return withFault(store, 'commit', async (call) => {
    nth += 1;
    const lost = isLost(nth);
    const answer = lost === 'before' ? undefined : await call();
    if (lost === undefined) return answer;
    return unavailable({ outcome: 'unknown', cause: new Error('a test lost the answer') });
  });
}
