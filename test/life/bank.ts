import type { Tenant } from 'dealwright';
import { balanceOf, type DealState } from 'dealwright/life';
import {
  type GatewayReport,
  type PaymentEffect,
  type PaymentGateway,
  unavailable,
} from 'dealwright/ports';
import { ok } from 'neverthrow';
import { billingOf } from '../../src/domain/payments/billing.js';
import { createBooks } from '../../src/domain/payments/books.js';
import { createDice, type Dice } from '../faults/dice.js';
import { cents, totalOf } from './invariants.js';
import { money } from './states.js';

/** A message of the bank: of a movement that was made, or of one that was not. */
export interface Message {
  readonly kind: 'employer' | 'contractor';
  /** Absent for money that was not requested. */
  readonly payment_id?: string;
  readonly status: GatewayReport['status'] | 'refund_failed';
  readonly reference: string;
  /** Its amount, even if the report does not say it. */
  readonly amount: bigint;
  readonly saysAmount: boolean;
  readonly currency?: string;
  /** Whether it leaves out the amount when it answers a request. */
  readonly isShort?: boolean;
  /** Whether the report is wrong: no money has come (10.12). */
  readonly isWrong?: boolean;
  /** The message that must come before it: a return comes after its payment. */
  readonly after?: Message;
}

/** The movements for one payment of an employer. */
interface Account {
  in: bigint;
  back: bigint;
  charged: bigint;
}

/** The effect of one call of the gateway, and its answer, if there was one. */
export interface Asked {
  readonly effect: PaymentEffect;
  answered?: readonly Message[];
  /** Without an answer: whether nothing can have happened; absent if the process has ended. */
  outcome?: 'none' | 'unknown';
}

const rest = <T>(all: ReadonlySet<T>, but: ReadonlySet<T>): T[] =>
  [...all].filter((each) => !but.has(each));

/**
 * The bank beside the books: it knows its requests and its movements, each effect once, and reports
 * them at once, late, twice, in another order, in part, or only when it is asked again.
 */
export class Bank implements PaymentGateway {
  /** Decides the next calls and payments. */
  dice: Dice = createDice(1);
  /** Whether from now on it carries out all requests, and reports at once. */
  isCalm = false;
  in = 0n;
  out = 0n;
  back = 0n;
  charged = 0n;
  readonly accounts = new Map<string, Account>();
  /** Messages to send, and messages that were sent and may be sent again. */
  readonly messages = new Set<Message>();
  readonly told = new Set<Message>();
  /** Payouts that contractors have. */
  private readonly arrived = new Set<Message>();
  /** The calls since the last look. */
  log: Asked[] = [];
  private readonly effects = new Map<string, { effect: PaymentEffect; answer: Message[] }>();
  private readonly requests = new Map<string, bigint>();
  /** All requests, also those that are over. */
  private readonly asked = new Map<string, bigint>();
  private count = 0;

  constructor(
    /** Reads the books at this moment. */
    private readonly read: (partner_id: string) => Promise<DealState | undefined>,
    private readonly fail: (why: string) => never,
    private readonly owner: string,
    /** What every amount is a multiple of. */
    private readonly unit = 1n,
    private readonly currency = 'PLN',
  ) {}

  readonly executes = () => true;

  async execute(_tenant: Tenant, effect: PaymentEffect) {
    if (effect.partner_id !== this.owner) return ok([]);
    const asked: Asked = { effect };
    this.log.push(asked);
    await this.check(effect);
    if (!this.isCalm && this.dice.isBelow(16)) return this.fails(asked, 'none');
    const known = this.effects.get(effect.id);
    if (known === undefined) await this.checkFirst(effect);
    else if (asBefore(known.effect) !== asBefore(effect)) {
      this.fail(`${JSON.stringify(effect)} was ${JSON.stringify(known.effect)} before`);
    }
    const answer = known?.answer ?? this.begin(effect);
    if (!this.isCalm && this.dice.isBelow(16)) return this.fails(asked, 'unknown');
    asked.answered = answer;
    return ok(
      answer.map((each) => {
        const saysAmount = each.saysAmount && each.isShort !== true;
        return reportOf({ ...each, saysAmount }) as GatewayReport;
      }),
    );
  }

  private fails(asked: Asked, outcome: 'none' | 'unknown') {
    asked.outcome = outcome;
    return unavailable({ outcome });
  }

  /** An operator has looked: it was never asked for, and will not be. */
  deny(effect: Pick<PaymentEffect, 'id' | 'payment_id'> & { readonly kind: string }): void {
    const { id, kind, payment_id } = effect;
    if (this.effects.has(id)) return;
    const of = { reference: id, payment_id } as const;
    if (kind === 'pay_out') this.put({ ...of, kind: 'contractor', status: 'failed' });
    else
      this.put({ ...of, kind: 'employer', status: kind === 'refund' ? 'refund_failed' : 'failed' });
  }

  /** Whether this was ever requested. */
  wasAsked(id: string): boolean {
    return this.effects.has(id);
  }

  /** The messages that can be sent now. */
  tellable(): readonly Message[] {
    return rest(this.messages, this.told).filter(
      ({ after }) => after === undefined || this.told.has(after) || !this.messages.has(after),
    );
  }

  /** An employer acts: pays, fails to pay, pays too much, or makes a charge-back. */
  employer(): void {
    const { dice } = this;
    const [id, asked] = dice.pick([...this.requests]) ?? [];
    const [of, account] = dice.pick([...this.accounts]) ?? [];
    const what = dice.below(14);
    if (what === 13) this.giveBack();
    else if (what === 12) {
      // the same money under another name, or what never came
      const [under] = dice.pick([...this.asked]) ?? [];
      const amount = this.asked.get(under ?? '') ?? BigInt(1 + dice.below(300)) * this.unit;
      const of =
        under === undefined || dice.isBelow(30) ? { kind: 'employer' as const } : ofEmployer(under);
      this.put({ ...of, status: 'paid', amount, saysAmount: true, isWrong: true });
    } else if (what === 0) {
      const amount = BigInt(1 + dice.below(300)) * this.unit;
      this.in += amount;
      this.put({ kind: 'employer', status: 'paid', amount, saysAmount: true });
    } else if (what === 1 && of !== undefined && account !== undefined) {
      this.takeBack(of, account, 'charged');
    } else if (what === 2 && of !== undefined && account !== undefined) {
      this.takeBack(of, account, 'back');
    } else if (id !== undefined && asked !== undefined) {
      if (what === 3) this.put({ ...ofEmployer(id), status: dice.pick(noMoney) ?? 'failed' });
      else this.pay(id, asked, dice.pick([1n, 1n, 1n, 1n, 2n, 3n]) ?? 1n);
    }
  }

  /** An employer pays a requested payment. */
  payNow(payment_id: string): void {
    const asked = this.requests.get(payment_id);
    this.requests.delete(payment_id);
    if (asked !== undefined) this.pay(payment_id, asked, 1n);
  }

  /** Counts money that was not requested under the payment that it was recorded as. */
  resolve(message: Message, payment_id: string): void {
    if (message.isWrong !== true) this.accountOf(payment_id).in += message.amount;
  }

  private pay(payment_id: string, asked: bigint, parts: bigint): void {
    const part = this.partOf(asked, parts);
    const amount = parts === 1n || part === 0n ? asked : part;
    const more = !this.isCalm && this.dice.isBelow(10) ? 7n * this.unit : 0n;
    this.in += amount + more;
    this.accountOf(payment_id).in += amount + more;
    const saysAmount = amount + more !== asked || this.dice.isBelow(40);
    this.put({ ...ofEmployer(payment_id), status: 'paid', amount: amount + more, saysAmount });
    // after a part the next part may come; after the whole, a second payment is rare
    if (amount === asked && !this.dice.isBelow(5)) this.requests.delete(payment_id);
  }

  /** A contractor gives back what arrived, of one payout or of any. */
  giveBack(payment_id?: string): void {
    const those = [...this.arrived].filter(
      (each) => each.payment_id === (payment_id ?? each.payment_id),
    );
    const paid = this.dice.pick(those);
    if (paid === undefined) return;
    this.arrived.delete(paid);
    this.out -= paid.amount;
    // what was told to have failed under this name cannot be told to have failed again
    const isWrong = [...this.messages].some(
      ({ status, reference }) => status === 'failed' && reference === paid.reference,
    );
    const isFailure = !isWrong && this.dice.isBelow(50);
    this.put({ ...paid, status: isFailure ? 'failed' : 'returned', after: paid });
  }

  private takeBack(payment_id: string, account: Account, kind: 'back' | 'charged'): void {
    const left = account.in - account[kind];
    if (left <= 0n) return;
    const amount = this.dice.isBelow(50) ? left : this.partOf(left, 2n);
    if (amount === 0n) return;
    account[kind] += amount;
    this[kind] += amount;
    const status = kind === 'charged' ? 'charged_back' : 'refunded';
    const said = { ...ofEmployer(payment_id), amount, saysAmount: true };
    const { reference } = this.put({ ...said, status });
    if (kind === 'charged' && this.dice.isBelow(30)) {
      // it is won, in part or whole, and told of in any order
      const part = this.partOf(amount, 2n);
      const won = this.dice.isBelow(50) || part === 0n ? amount : part;
      account.charged -= won;
      this.charged -= won;
      this.put({ ...said, status: 'charge_back_reversed', reference, amount: won });
    }
  }

  /** A part of an amount, down to the unit. */
  private partOf(amount: bigint, parts: bigint): bigint {
    return amount / parts - ((amount / parts) % this.unit);
  }

  private accountOf(payment_id: string): Account {
    const account = this.accounts.get(payment_id) ?? { in: 0n, back: 0n, charged: 0n };
    this.accounts.set(payment_id, account);
    return account;
  }

  private newReference(): string {
    this.count += 1;
    return `bank-${this.count}`;
  }

  private put(
    message: Omit<Message, 'reference' | 'amount' | 'saysAmount'> & Partial<Message>,
  ): Message {
    const { reference = this.newReference(), amount = 0n, saysAmount = false } = message;
    // the case of its letters does not matter
    const own = this.dice.isBelow(50) ? this.currency.toLowerCase() : this.currency;
    const currency = this.dice.isBelow(30) ? { currency: own } : {};
    const made = { ...message, reference, amount, saysAmount, ...currency };
    this.messages.add(made);
    return made;
  }

  /** Makes the movement the first time, and gives the same answer each time. */
  private begin(effect: PaymentEffect): Message[] {
    const answer =
      effect.kind === 'request_payment'
        ? this.request(effect)
        : effect.kind === 'pay_out'
          ? this.payOut(effect)
          : this.refund(effect);
    this.effects.set(effect.id, { effect, answer });
    return answer;
  }

  private request({ payment_id, amount }: PaymentEffect): Message[] {
    this.requests.set(payment_id, cents(amount));
    this.asked.set(payment_id, cents(amount));
    const what = this.isCalm ? 0 : this.dice.below(10);
    if (what < 5) return [];
    if (what < 7) return [this.put({ ...ofEmployer(payment_id), status: 'processing' })];
    if (what < 8) return [this.put({ ...ofEmployer(payment_id), status: 'failed' })];
    const before = new Set(this.messages);
    this.pay(payment_id, cents(amount), 1n);
    return rest(this.messages, before);
  }

  private payOut({ id, payment_id, amount: text }: PaymentEffect): Message[] {
    const amount = cents(text);
    const { dice } = this;
    const reference = dice.isBelow(40) ? id : this.newReference();
    const of = { kind: 'contractor', payment_id, reference, amount } as const;
    const put = (status: Message['status'], after?: Message) =>
      this.put({ ...of, status, saysAmount: dice.isBelow(30), ...(after && { after }) });
    const arrive = (after?: Message) => {
      const paid = put('paid', after);
      this.arrived.add(paid);
      this.out += amount;
      return paid;
    };
    const what = this.isCalm ? 0 : dice.below(18);
    if (what < 2) return [arrive()];
    if (what < 4) {
      const begun = put('processing');
      arrive();
      return [begun];
    }
    if (what < 8) {
      arrive();
      return [];
    }
    if (what > 11) {
      // an operator is told wrongly that it has failed; it may be sent again, and both arrive
      const wrong = put('failed');
      if (what < 16) arrive(wrong);
      // it comes back too, which is told before or after
      else for (const status of ['paid', 'returned'] as const) put(status, wrong);
      return what % 2 === 0 ? [wrong] : [];
    }
    const failed = dice.isBelow(50) ? 'failed' : 'returned';
    if (what < 10) {
      const message = put(failed);
      return what === 8 ? [message] : [];
    }
    // the money is gone and comes back
    const paid = put('paid');
    // of this pair alone the order counts
    put(failed, failed === 'failed' ? paid : undefined);
    return what === 10 ? [paid] : [];
  }

  private refund({ id, payment_id, amount: text }: PaymentEffect): Message[] {
    const amount = cents(text);
    const { dice } = this;
    const account = this.accountOf(payment_id);
    const reference = dice.isBelow(50) ? id : this.newReference();
    const of = { ...ofEmployer(payment_id), reference, amount };
    const put = (status: Message['status'], more: Partial<Message> = {}) =>
      // under a reference of its own it gives the amount, unless it answers just that request
      this.put({
        ...{ ...of, status, saysAmount: reference !== id || dice.isBelow(50) },
        ...{ isShort: dice.isBelow(50) },
        ...more,
      });
    const isThere = account.in - account.back >= amount;
    const what = this.isCalm ? 0 : dice.below(12);
    if (!isThere || what > 9) {
      // it never goes: reported by its own name, or at once, so that the failed one is known
      const failed = put('refund_failed', { saysAmount: true, reference: id });
      return what === 11 ? [failed] : [];
    }
    account.back += amount;
    this.back += amount;
    if (what < 4) return [put('refunded')];
    if (what < 6) {
      put('refunded');
      return [];
    }
    if (what < 8 && amount > this.unit) {
      const third = this.partOf(amount, 3n);
      const first = third === 0n ? this.unit : third;
      const parts = [first, amount - first].map((part, at) =>
        put(at === 0 ? 'partially_refunded' : 'refunded', {
          ...{ reference: this.newReference(), amount: part, saysAmount: true, isShort: false },
        }),
      );
      return what === 6 ? parts : [];
    }
    // the money goes and comes back, whole or in part, reported in either order
    const isPart = dice.isBelow(30) && amount > this.unit;
    const again = isPart ? this.partOf(amount, 2n) : amount;
    account.back -= again;
    this.back -= again;
    const went = put('refunded');
    put('refund_failed', isPart ? { amount: again, saysAmount: true, isShort: false } : {});
    return what === 8 ? [went] : [];
  }

  /** 10.1: what is never asked for, the first time or again. */
  private async check({ kind, amount, payment_id }: PaymentEffect): Promise<void> {
    const state = await this.read(this.owner);
    if (state === undefined) return;
    const { deal, posting } = state;
    const loss = balanceOf(posting).loss - cents(billingOf(state).written_off);
    if (kind !== 'request_payment' && deal.status === 'disputed') this.fail(`${kind} in a dispute`);
    if (kind === 'pay_out' && loss > 0n) this.fail(`it pays out with a loss of ${money(loss)}`);
    const { came, refunded, charged_back } = createBooks(posting).of(payment_id);
    const left = came - refunded - charged_back;
    if (kind === 'refund' && left < cents(amount)) {
      this.fail(`a refund of ${amount}, and ${money(left)} is left of the payment`);
    }
  }

  /** No request exceeds the books, and none is for something unwanted. */
  private async checkFirst({ id, kind, amount, payment_id }: PaymentEffect): Promise<void> {
    const state = await this.read(this.owner);
    const intent = state?.intent.find((each) => each.id === id);
    if (state === undefined || intent?.status !== 'pending' || intent.amount !== amount) {
      this.fail(`it is asked for ${kind} ${amount}, and the books say ${JSON.stringify(intent)}`);
    }
    // an effect that was requested before may be on its way, as far as the books know
    if (kind === 'request_payment' || intent.attempts > 1) return;
    const { deal, posting, contractor_payment, intent: intents } = state;
    if (kind === 'pay_out' && deal.status === 'disputed') this.fail('it pays while disputed');
    const sumOf = (account: string) =>
      totalOf(
        posting.filter(({ to_account }) => to_account === account),
        (each) => each.amount,
      ) -
      totalOf(
        posting.filter(({ from_account }) => from_account === account),
        (each) => each.amount,
      );
    const others =
      totalOf(
        contractor_payment.filter((each) => each.status === 'processing' && each.id !== payment_id),
        (each) => each.amount,
      ) +
      totalOf(
        intents.filter(
          (each) =>
            each.kind === 'refund' &&
            each.status === 'pending' &&
            each.id !== id &&
            this.wasAsked(each.id),
        ),
        ({ remaining }) => remaining,
      );
    // lost money is not available, even if a payout under way holds some
    const free = sumOf('held') + sumOf('loss') + cents(billingOf(state).written_off) - others;
    if (free < cents(amount)) {
      this.fail(`it is asked for ${kind} ${amount}, and ${money(free)} is free for that`);
    }
  }
}

/** An effect that is asked for again says the same, but for the amount of the deal (9.15), and how often it was asked for. */
const asBefore = (effect: PaymentEffect): string =>
  JSON.stringify({ ...effect, deal_amount: '', calls: 0 });

const noMoney = ['failed', 'expired', 'processing'] as const;
const ofEmployer = (payment_id: string) => ({ kind: 'employer', payment_id }) as const;

/** A message in the form of a report. */
export function reportOf({ status, reference, amount, saysAmount, currency }: Message) {
  return {
    ...{ status, reference },
    ...(saysAmount && amount > 0n && { amount: money(amount) }),
    ...(currency !== undefined && { currency }),
  };
}
