import {
  type CommandError,
  createMarketplace,
  type LocalMarketplace,
  type SandboxActor,
} from 'dealwright';
import type { DealState } from 'dealwright/life';
import type { Result } from 'neverthrow';
import { createDice } from '../faults/dice.js';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { dealOf } from '../kit/stored.js';
import { choose, type Dice } from './actions.js';
import { Bank, type Message, reportOf } from './bank.js';
import { checkState, checkUnits, isSent } from './invariants.js';
import { checkTerms, type Kept, nothingKept } from './kept-rows.js';
import { giveInTime, inTime, inTimeFor, ticks } from './model-clock.js';
import { isAboutProposals } from './model-proposals.js';
import type { Wish } from './model-rules.js';
import { isFinal, type Model, seen } from './model-state.js';
import { newModel } from './model-terms.js';
import { isWhole, wholeUnit } from './model-units.js';
import { idsOf, type Place, shared } from './place.js';
import { createProcess } from './process.js';
import { attentionOf, differenceOf, seenOf, show } from './run.js';
import { instant, money, type Shape, sumOf } from './states.js';
import { tallyOf } from './tally.js';
import { doublesOf, isMismatch, lineOf, recordOf, unlikeAnswer, verdictOf } from './world-rest.js';
import {
  catchUp,
  describe,
  isSendable,
  keptOf,
  sendProposal,
  withoutRefunds,
} from './world-terms.js';
import {
  askedBackOf,
  asking,
  doubt,
  heldForNothing,
  inputOf,
  neverAsked,
  optionsOf,
  remedies,
  type Script,
  stopped,
  toldOf,
  voidingOf,
} from './world-words.js';

const hour = 3_600_000;

/**
 * A deal in a real marketplace over a real store, beside a bank and the model of the decisions. All
 * three must agree after every step and at the end.
 */
export class World {
  readonly told: string[] = [];
  model: Model;
  readonly bank: Bank;
  private state: DealState | undefined;
  private kept: Kept = nothingKept;
  private process!: ReturnType<typeof createProcess>;
  private marketplace!: LocalMarketplace;
  private readonly partner_id: string;
  private failure: Error | undefined;
  /** The ids of the requests before the current effects. */
  private askedFor: readonly string[] = [];
  /** The ids of what may have happened, as far as the calls say. */
  private readonly doubts = new Set<string>();
  /** The wrong reports that were told: an operator takes them back. */
  private readonly wrong = new Set<Message>();
  /** The number of commands, reports and effects. */
  count = 0;

  private constructor(
    private readonly place: Place,
    private readonly shape: Shape,
  ) {
    this.partner_id = `D-${place.count++}`;
    this.model = newModel(shape, place.now);
    const fail = (why: string) => this.fail(why);
    const { currency } = shape;
    this.bank = new Bank(() => this.read(), fail, this.partner_id, wholeUnit(shape), currency);
    this.told.push(`deal ${show(shape)}`);
    // finer money may be refused only since the deal has some
    this.start({ ...shape, wholeUnits: isWhole(shape) });
  }

  static async create(place: Place, shape: Shape): Promise<World> {
    const world = new World(place, shape);
    await world.make();
    return world;
  }

  private get tenant() {
    return { environment: 'sandbox', partner: this.place.partner } as const;
  }

  /** Starts a process over the data of earlier ones. */
  private start(shape = this.shape): void {
    const { place } = this;
    this.process = createProcess(place, this.bank);
    const time = { now: () => place.now, sleep: () => () => undefined };
    this.marketplace = createMarketplace(
      { ...shared, ...this.process.ports, ids: idsOf(place), clock: time, timer: time },
      optionsOf(shape),
    );
  }

  private async make(): Promise<void> {
    const { partner_id, shape } = this;
    const { currency = 'PLN' } = shape;
    const api = this.marketplace.partner(this.tenant);
    const amount = money(sumOf(shape.budgets));
    if (shape.version === '1.0') {
      await api.registerContractor(contractor);
      (await api.createDeal({ ...deal, partner_id, budget: amount, currency }))._unsafeUnwrap();
    } else {
      (await api.createDealV2({ ...dealV2, partner_id, amount, currency }))._unsafeUnwrap();
    }
    this.start();
    const state = await this.read();
    const ids = state?.stage.map(({ id }) => id);
    this.model = newModel(shape, this.place.now, ids);
    if (state !== undefined) describe(this.model, state, this.place.now);
    await this.look();
  }

  private read(): Promise<DealState | undefined> {
    return dealOf(this.place.store, this.tenant, this.partner_id);
  }

  fail(why: string): never {
    // a port that throws counts as a failed port: it is thrown again outside of the calls
    this.failure ??= new Error(`${this.told.join('\n')}\n=> ${why}`);
    throw this.failure;
  }

  /** Runs the actions of these dice, and the end. */
  async live(all: readonly Dice[]): Promise<void> {
    try {
      for (const each of all) await this.act(each);
      await this.finish();
    } catch (error) {
      // the rest of it must not meet later deals
      this.place.partner = `after-${this.partner_id}`;
      throw this.failure ?? error;
    }
  }

  private async act(thrown: Dice): Promise<void> {
    const [what, a, b, c] = thrown;
    const dice = createDice(a * 7 + b * 131 + c * 1_000_003 + what);
    this.bank.dice = dice;
    if (dice.isBelow(8)) {
      this.process.light({ left: dice.below(9), isAfter: dice.isBelow(50) });
      this.told.push('(soon the process ends)');
    }
    const kind = dice.below(100);
    const { messages, told } = this.bank;
    if (kind < 20) await this.runEffects();
    else if (kind < 45) {
      const message = dice.pick(this.bank.tellable());
      if (message !== undefined) await this.tell(message);
    } else if (kind < 50) {
      const message = dice.pick([...told].filter((each) => messages.has(each)));
      if (message !== undefined) await this.tell(message);
    } else if (kind < 60) this.bank.employer();
    else if (kind < 62) {
      const message = dice.pick([...this.wrong]);
      if (message !== undefined) await this.takeBack(message);
    } else {
      const action = choose(this.model, thrown, false);
      if (action !== undefined) {
        if ('pass' in action) await this.pass(action.pass);
        else if ('upload' in action) await this.upload(action.upload);
        else if ('wait' in action) this.wait(action.wait);
        else if (action.wish.actor !== 'clock' && isSendable(action.wish)) {
          await this.give(action.wish);
        }
      }
    }
    this.process.light(undefined);
  }

  /** The deal before a step, if the process may end in the step. */
  private snapshot(): Model {
    return this.process.isLit() ? structuredClone(this.model) : this.model;
  }

  /** The end: the bank reports and carries out all requests, and an operator acts. */
  private async finish(): Promise<void> {
    this.bank.isCalm = true;
    this.told.push('(from now on all goes well)');
    await this.calm();
    if (!isFinal(this.model)) {
      await this.give({ name: 'cancel', actor: 'operator' });
      await this.calm();
    }
    // open requests of a completed deal end by the clock
    await this.pass(15 * 24 * hour);
    const told = await tallyOf(this.marketplace.partner(this.tenant), this.partner_id);
    const verdict = verdictOf(this.model, this.state as DealState, this.bank, told);
    if (verdict !== undefined) this.fail(verdict);
  }

  private async calm(): Promise<void> {
    for (let round = 0; ; round += 1) {
      const before = this.count;
      for (let all = this.bank.tellable(); all.length > 0; all = this.bank.tellable()) {
        const told = this.bank.told.size;
        for (const message of all) await this.tell(message);
        if (this.bank.told.size === told) this.fail(`nothing can be told: ${show(all)}`);
      }
      await this.pass(2 * hour);
      await this.runEffects();
      // 10.1: what may not be asked for again is looked up by an operator
      for (const each of stopped(this.state as DealState)) this.bank.deny(each);
      if (this.bank.tellable().length === 0) {
        for (const id of doublesOf(this.model, this.state as DealState)) this.bank.giveBack(id);
      }
      for (const each of this.wrong) await this.takeBack(each);
      if (this.model.status === 'completed') {
        for (const { id, status } of (this.state as DealState).employer_payment) {
          if (/requested|processing/.test(status)) this.bank.payNow(id);
        }
      }
      for (const name of remedies(this.state as DealState, this.model)) {
        await this.give({ name, actor: 'operator' });
      }
      if (this.count === before && this.bank.tellable().length === 0) return;
      if (round > 30) this.fail('it does not come to rest');
    }
  }

  private async upload(stage_id: number): Promise<void> {
    this.told.push(`upload a file for stage ${stage_id}`);
    this.process.light(undefined);
    const file = { stage_id, name: 'work.txt', content: Uint8Array.of(97) };
    const uploaded = await this.marketplace
      .partner(this.tenant)
      .uploadFile({ partner_id: this.partner_id }, file);
    if (uploaded.isErr()) this.fail(`the upload is refused: ${show(uploaded.error)}`);
    this.model.files.push({ stage: stage_id, status: 'stored' });
    await this.look();
  }

  private async give(wish: Wish, input = inputOf(this.state as DealState, wish)): Promise<void> {
    this.told.push(show(wish.report === undefined ? wish : { ...input, by: wish.actor }));
    const failed = attentionOf(this.state as DealState).includes('refund_failed');
    const told = wish.name === 'retry-refund' ? { ...wish, isRefundFailed: failed } : wish;
    const before = this.snapshot();
    const expected = giveInTime(this.model, told, this.place.now);
    const sandbox = this.marketplace.sandbox(this.tenant);
    const actor = wish.actor as SandboxActor;
    const answer: Result<object, CommandError> = isAboutProposals(wish)
      ? await sendProposal(sandbox, this.state as DealState, this.kept, wish)
      : await sandbox.command(this.partner_id, actor, wish.name, input);
    this.count += 1;
    if (this.process.isDead()) {
      const { now } = this.place;
      await this.recover(before, function* once(model) {
        giveInTime(model, told, now);
        yield;
      });
      return;
    }
    const found = () => inTimeFor(this.model, wish, this.place.now);
    const unlike = unlikeAnswer(this.model, wish, expected, answer, found);
    if (unlike !== undefined) this.fail(unlike);
    await this.look();
  }

  /** Sends a message of the bank, as its report or by an operator. */
  private async tell(message: Message): Promise<void> {
    const { payment_id } = message;
    const report = toldOf(this.state as DealState, message);
    const name = `record-${message.kind}-payment`;
    const actor = this.bank.dice.isBelow(80) ? 'payments' : 'operator';
    const known = new Set((this.state as DealState).employer_payment.map(({ id }) => id));
    const input = { ...(payment_id !== undefined && { payment_id }), ...reportOf(message) };
    const reports = (this.state as DealState).payment_report.length;
    if (this.bank.dice.isBelow(5)) await this.tellWrongly(name, actor, input);
    await this.give({ name, actor, report }, input);
    const { payment_report } = this.state as DealState;
    const recorded = recordOf(this.state as DealState, message);
    if (reports > payment_report.length) this.fail('a report is gone');
    if (recorded === undefined) return;
    const { payment_id: made } = recorded;
    if (payment_id === undefined && !known.has(made)) this.bank.resolve(message, made);
    this.bank.told.add(message);
    if (message.isWrong === true) this.wrong.add(message);
  }

  /** An operator says that what was told never came. */
  private async takeBack(message: Message): Promise<void> {
    const { report, input } = voidingOf(this.state as DealState, message);
    await this.give({ name: 'record-employer-payment', actor: 'operator', report }, input);
    const voided = recordOf(this.state as DealState, { ...message, status: 'voided' });
    if (voided !== undefined) this.wrong.delete(message);
  }

  /** The same report, by mistake in another currency: it counts nowhere (10.4). */
  private async tellWrongly(name: string, actor: SandboxActor, input: object): Promise<void> {
    const wrong = { ...input, currency: 'EUR' };
    const sandbox = this.marketplace.sandbox(this.tenant);
    const answer = await sandbox.command(this.partner_id, actor, name, wrong);
    if (this.process.isDead()) return;
    if (!isMismatch(answer)) this.fail(`in euro: ${show(answer)}`);
    // one that is known already finds what the clock had to do done (10.15)
    if (answer.isOk()) for (const _ of ticks(this.model, this.place.now)) this.count += 1;
    await this.look();
  }

  /** Requests all due payments from the bank, as may happen at any moment. */
  private async runEffects(): Promise<void> {
    this.told.push('effects are run');
    this.bank.log = [];
    const asWas = this.state as DealState;
    const { intent } = asWas;
    this.askedFor = intent.filter(isSent).map(({ id }) => id);
    const { now } = this.place;
    const isDue = intent.some(({ due_at }) => due_at !== null && due_at <= instant(now));
    const before = this.snapshot();
    const ran = await this.marketplace.operator('sandbox').runEffects();
    const { log } = this.bank;
    this.count += log.length;
    this.told.push(...log.map(lineOf));
    const asked = asking(
      log,
      this.place.now,
      this.askedFor,
      this.doubts,
      asWas,
      () => this.state as DealState,
      (why) => this.fail(why),
    );
    // whoever takes an effect over finds the deal as the clock leaves it
    const script: Script = function* inOrder(model) {
      if (isDue) yield* inTime(now)(model);
      yield* asked(model);
    };
    if (this.process.isDead()) {
      await this.recover(before, function* beyond(model) {
        yield* script(model);
        // the payout that it had begun with, and did not come to request
        for (const payout of model.payouts.filter(({ status }) => status === 'scheduled')) {
          payout.status = 'processing';
          yield;
          payout.status = 'scheduled';
        }
      });
      return;
    }
    if (this.failure !== undefined) throw this.failure;
    if (ran.isErr()) this.fail(`effects: ${show(ran.error)}`);
    // one run may have created a payment and requested it
    this.state = await this.read();
    for (const _ of script(this.model));
    doubt(this.doubts, log);
    await this.look();
    for (const { answered = [] } of log) for (const each of answered) this.bank.told.add(each);
  }

  private wait(time: number): void {
    this.place.now += time;
    this.told.push(`${time / hour} hours pass`);
  }

  /** Lets time pass, and runs the due commands of the clock. */
  private async pass(time: number): Promise<void> {
    this.wait(time);
    const { now } = this.place;
    const before = this.snapshot();
    const ran = await this.marketplace.operator('sandbox').runTimers();
    if (this.process.isDead()) return this.recover(before, inTime(now));
    if (ran.isErr()) this.fail(`timers: ${show(ran.error)}`);
    for (const _ of ticks(this.model, now)) this.count += 1;
    await this.look();
  }

  /** A process has ended between two calls of its ports: its writes are one of these. */
  private async recover(before: Model, script: Script): Promise<void> {
    this.told.push('(the process has ended; another one begins)');
    this.start();
    const state = (await this.read()) as DealState;
    // its last call has not ended
    for (const { id, outcome } of state.intent) if (outcome === 'calling') this.doubts.add(id);
    this.kept = await keptOf(this.place.store, this.tenant, this.partner_id);
    const found = withoutRefunds(seenOf(state, this.kept));
    // the current payments, if a write has made one
    this.state = state;
    this.model = before;
    const asWas = { refunds: before.refunds, failed: before.failed };
    const compare = () => {
      catchUp(before, state);
      return differenceOf(withoutRefunds(seen(before)), found);
    };
    const differences = [compare()];
    if (differences[0] !== undefined) {
      // as they were when the command came
      Object.assign(before, asWas);
      for (const _ of script(before)) {
        const difference = compare();
        differences.push(difference);
        if (difference === undefined) break;
      }
    }
    if (differences.at(-1) !== undefined) {
      this.fail(`after the end of a process none of these: ${differences.join('\n   or ')}`);
    }
    await this.look();
  }

  /** Compares the stored deal with the model, and checks the invariants. */
  private async look(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const state = await this.read();
    if (state === undefined) this.fail('the deal is gone');
    this.state = state;
    this.kept = await keptOf(this.place.store, this.tenant, this.partner_id);
    catchUp(this.model, state);
    const found = withoutRefunds(seenOf(state, this.kept));
    const problem =
      differenceOf(withoutRefunds(seen(this.model)), found) ??
      checkState(state, this.shape.tolerance) ??
      checkUnits(state, wholeUnit(this.shape)) ??
      checkTerms(state, this.kept);
    if (problem !== undefined) this.fail(problem);
    const unasked = neverAsked(state, this.bank);
    if (unasked !== undefined) this.fail(unasked);
    for (const [at, { id }] of state.employer_payment.entries()) {
      const payment = this.model.incoming[at];
      if (payment !== undefined) payment.askedBack = askedBackOf(state, id);
    }
    const idle = heldForNothing(this.model, state);
    if (idle !== undefined) this.fail(idle);
  }
}
