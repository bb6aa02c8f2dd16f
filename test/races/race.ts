import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createMarketplace,
  type FeePolicy,
  type FeeTerms,
  fromMinorUnits,
  type MarketplaceOptions,
  type StagePlanner,
} from 'dealwright';
import type { DealState } from 'dealwright/life';
import type { DealPart, DealWith, Store, Stored } from 'dealwright/ports';
import { createUlids } from 'dealwright/system';
import { createManualClock } from 'dealwright/testing';
import type { Result } from 'neverthrow';
import { createDice, type Dice } from '../faults/dice.js';
import { createPorts } from '../kit/ports.js';
import { contractor, deal, tenant } from '../kit/requests.js';
import { dealOf, settle } from '../kit/stored.js';
import type { Kept } from '../life/kept-rows.js';
import { keptOf } from '../life/world-terms.js';
import { drawWishes, type Known, type Machine, machineOf, type Wish, wishesFor } from './wishes.js';

/** The outcome of one call. */
export interface Outcome {
  readonly wish: Wish;
  readonly sent: Result<unknown, { readonly code: string }>;
}

/** A deal with all that is kept under it. */
export type RaceState = DealState & Kept;

/** Concurrent calls on one deal, and their outcomes. */
export interface Race {
  readonly before: RaceState;
  readonly after: DealWith<DealPart> & Kept;
  /** The events of the deal before the calls. */
  readonly told: readonly Stored<'event'>[];
  /** The events of the calls. */
  readonly events: readonly Stored<'event'>[];
  readonly outcomes: readonly Outcome[];
  /** The call of an id: of an event, of a record, or of the attempt of a write. */
  makerOf(id: string): number | undefined;
  /** The ids of stages that a call has reserved at last. */
  stagesOf(call: number): number | undefined;
  /** The time of the race: no clock moves. */
  readonly now: string;
  readonly feesOf: FeePolicy;
  /** Writes that were refused because another call was faster. */
  readonly beaten: number;
}

/** How many calls are made at once. */
const width = 50;

/** Makes concurrent calls on one deal, by one process for each of these stores with shared data. */
export async function race(stores: readonly Store[], seed: number): Promise<Race> {
  const dice = createDice(seed);
  const calling = new AsyncLocalStorage<number>();
  const makers = new Map<string, number>();
  const reserved = new Map<number, number>();
  const ulids = createUlids();
  const ids = {
    next() {
      const id = ulids.next();
      const call = calling.getStore();
      if (call !== undefined) makers.set(id, call);
      return id;
    },
  };
  const clock = createManualClock();
  const shared = { ...createPorts(), clock, ids };
  const options = optionsOf(dice);
  let beaten = 0;
  const counted = (store: Store): Store => ({
    ...store,
    async commit(tenant, write) {
      const made = await store.commit(tenant, write);
      if (made.isOk() && made.value.outcome === 'refused') beaten += 1;
      return made;
    },
    async reserve(...asked) {
      const first = await store.reserve(...asked);
      const call = calling.getStore();
      if (call !== undefined && first.isOk()) reserved.set(call, first.value);
      return first;
    },
  });
  const machines = stores.map((store) =>
    machineOf(createMarketplace({ ...shared, store: counted(store) }, options)),
  );
  const [first] = stores as readonly [Store];
  const partner_id = `race-${seed}`;
  const read = async () => {
    const found = await dealOf(first, tenant, partner_id);
    if (found === undefined) throw new Error('the deal is gone');
    return { ...found, ...(await keptOf(first, tenant, partner_id)) };
  };
  const [machine] = machines as [Machine];
  await begin(machine, partner_id, dice, async () => knownOf(await read()));
  // every second race is about the terms, too
  const isAboutTerms = seed % 2 === 1;
  const more = createDice(seed);
  if (isAboutTerms && more.isBelow(70)) {
    await wishesFor(partner_id).propose({ title: 'Before' }).send(machine, {});
  }
  const before = await read();
  const told = await eventsAfter(first, partner_id, 0);
  const { proposal } = before.deal;
  const proposals = proposal === null ? [] : [JSON.parse(proposal)];
  const known = { ...knownOf(before), ...(isAboutTerms && { proposals }) };
  const wishes = drawWishes(partner_id, known, dice, width);
  const outcomes = await Promise.all(
    wishes.map((wish, call) =>
      calling.run(call, async () => {
        const options = wish.key === undefined ? {} : { idempotencyKey: wish.key };
        const machine = machines[call % machines.length] as Machine;
        return { wish, sent: await wish.send(machine, options) };
      }),
    ),
  );
  return {
    before,
    after: await read(),
    told,
    events: await eventsAfter(first, partner_id, told.length),
    outcomes,
    makerOf: (id) => makers.get(id),
    stagesOf: (call) => reserved.get(call),
    now: new Date(clock.now()).toISOString(),
    feesOf: options.feePolicy,
    beaten,
  };
}

const noFees = { employer_fee: '0.00', contractor_fee: '0.00' };

/** A deal of three stages, with or without fees, paid after its work or before. */
function optionsOf(dice: Dice) {
  const hasFees = dice.isBelow(50);
  const fees = {
    employer_fee: hasFees ? '10.00' : '0.00',
    contractor_fee: hasFees ? '25.01' : '0.00',
  };
  return {
    mode: dice.isBelow(25) ? 'prepaid' : 'invoice',
    // a deal that a dispute has left little of has fees of nothing more
    feePolicy: ({ amount }: FeeTerms) => (Number(amount) < 100 ? noFees : fees),
    stagePlanner: (({ work_days }) =>
      [50_000n, 30_001n, 19_999n].map((budget, at) => ({
        name: `Stage ${at + 1}`,
        budget: fromMinorUnits(budget),
        work_days,
      }))) satisfies StagePlanner,
  } satisfies MarketplaceOptions;
}

function knownOf({ stage, employer_payment, contractor_payment }: DealState): Known {
  return {
    stages: stage.map(({ id }) => id),
    employerPayments: employer_payment.map(({ id }) => id),
    payouts: contractor_payment.map(({ id }) => id),
  };
}

/** Leads a new deal to the state before the calls: new, at work, partly paid, or returned. */
async function begin(
  machine: Machine,
  partner_id: string,
  dice: Dice,
  known: () => Promise<Known>,
): Promise<void> {
  const { api } = machine;
  const all = wishesFor(partner_id);
  await api.registerContractor(contractor);
  (await api.createDeal({ ...deal, partner_id }))._unsafeUnwrap();
  const { stages } = await known();
  const [one = 0] = stages;
  const give = async (...wishes: readonly Wish[]) => {
    for (const wish of wishes) await wish.send(machine, {});
  };
  const report = async (...statuses: readonly ('paid' | 'charged_back')[]) => {
    const [payment_id = ''] = (await known()).employerPayments;
    for (const status of statuses) {
      await give(all.employerPayment({ payment_id, status, reference: `${status}-before` }));
    }
  };
  await give(...stages.map((stage) => all.upload(stage, `file-of-${stage}`)));
  const steps = [
    () => give(all.accept()),
    () => give(all.deliver({ stage_id: one })),
    () => give(all.deliver({}), all.approve({ stage_id: one })),
    () => report(dice.isBelow(50) ? 'charged_back' : 'paid'),
    () => give(all.approve({})),
  ];
  for (const step of steps.slice(0, dice.below(steps.length + 1))) await step();
}

/** The events of a deal with a sequence above this one. */
async function eventsAfter(
  { events }: Store,
  partner_id: string,
  sequence: number,
): Promise<readonly Stored<'event'>[]> {
  const all: Stored<'event'>[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await settle(events.after(tenant, cursor, 500));
    if (page === 'invalid_cursor') throw new Error('a cursor of the store is none');
    if (page.events.length === 0) return all.slice(sequence);
    all.push(...page.events.filter(({ subject }) => subject === `deal:${partner_id}`));
    cursor = page.cursor;
  }
}
