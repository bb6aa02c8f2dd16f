import { formatMoney, fromMinorUnits } from 'dealwright';
import type { DealState } from 'dealwright/life';
import * as fc from 'fast-check';

/** The parameters of a deal at its creation. */
export interface Shape {
  readonly version: '1.0' | '2.0';
  readonly mode: 'invoice' | 'prepaid';
  /** In cents; a deal of version 1.0 may have stages of zero or less. */
  readonly budgets: readonly bigint[];
  readonly employerFee: bigint;
  readonly contractorFee: bigint;
  /** Deals of version 1.0 expire only by an option. */
  readonly expires: boolean;
  /** What is written off by itself (10.11). */
  readonly tolerance?: bigint;
  /** The fees of each version, in per cent of its stages; without it they stay as they are. */
  readonly percent?: { readonly employer: number; readonly contractor: number };
  /** Default PLN. */
  readonly currency?: string;
  /** Whether the service refuses money that is finer than the unit of its currency (10.13). */
  readonly wholeUnits?: boolean;
}

/** 10.13: the unit in cents; ISO 4217 gives the yen and the won no decimals. */
export const unitOf = ({ currency = 'PLN' }: Pick<Shape, 'currency'>): bigint =>
  currency === 'JPY' || currency === 'jpy' || currency === 'KRW' ? 100n : 1n;
/** 10.13: fees and their shares go down to the unit. */
export const inUnits = (shape: Pick<Shape, 'currency'>, amount: bigint): bigint =>
  amount - (amount % unitOf(shape));
export const sumOf = (all: readonly bigint[]): bigint => all.reduce((sum, each) => sum + each, 0n);

/** The fees of terms whose stages have this sum (9.7, 9.16 n). */
export function feesFor({ percent, employerFee, contractorFee }: Shape, sum: bigint) {
  const most = sum > 0n ? sum : 0n;
  if (percent === undefined) {
    // the contractor pays no more than it gets
    return {
      employerFee: most > 0n ? employerFee : 0n,
      contractorFee: contractorFee < most ? contractorFee : most,
    };
  }
  const part = (of: number) => (most * BigInt(of)) / 100n;
  return { employerFee: part(percent.employer), contractorFee: part(percent.contractor) };
}

/** The start of all deals. */
export const dayOne = Date.UTC(2026, 0, 1);
export const day = 86_400_000;
/** The deal's secret: no output may contain it. */
export const token = 'tok_0123456789abcdefghijklmnop';

export const money = (cents: bigint): string => formatMoney(fromMinorUnits(cents));
export const instant = (time: number): string => new Date(time).toISOString();

/** Texts like ULIDs, in ascending order. */
export function idMaker(): () => string {
  let count = 0;
  return () => `01${String(++count).padStart(24, '0')}`;
}

/** The rows of a new deal. */
export function newDeal(shape: Shape): DealState {
  const { version, mode, budgets, employerFee, contractorFee, expires, currency = 'PLN' } = shape;
  const isFirst = version === '1.0';
  return {
    deal: {
      partner_id: 'D-1',
      id: 1,
      api_version: version,
      email_freelancer: 'ann@example.com',
      email_key: 'ann@example.com',
      title: 'A deal',
      description: 'Work',
      subcategory_id: 1,
      amount: money(sumOf(budgets)),
      currency,
      work_days: isFirst ? 30 : null,
      copyright_transfer: isFirst ? null : 'none',
      freelancer_language: isFirst ? null : 'en',
      payment_token: isFirst ? null : token,
      status: 'created',
      freelancer_status: 'new',
      created_at: instant(dayOne),
      mode,
      employer_fee: money(employerFee),
      contractor_fee: money(contractorFee),
      agreed_amount: null,
      expires_at: expires ? instant(dayOne + 30 * day) : null,
      notice_at: expires ? instant(dayOne + 27 * day) : null,
      due_at: expires ? instant(dayOne + 27 * day) : null,
      attention: null,
      terms_version: null,
      terms_sha256: null,
      accepted_by: null,
      issued_amount: null,
      proposal: null,
      status_since: null,
      alert: null,
      alert_at: null,
    },
    stage: budgets.map((budget, index) => ({
      id: 101 + index,
      partner_id: 'D-1',
      name: `Stage ${index + 1}`,
      budget: money(budget),
      work_days: isFirst ? 30 : null,
      status: 'pending',
      agreed_amount: null,
      submitted_at: null,
      notice_at: null,
      kind: null,
      started_at: null,
      deadline: null,
      overdue_told: null,
    })),
    work_file: [],
    employer_payment: [],
    contractor_payment: [],
    posting: [],
    intent: [],
    payment_report: [],
  };
}

/** Adds a work file that was just uploaded for a stage. */
export function withFile(state: DealState, stage_id: number, id: string, now: string): DealState {
  const file = {
    id,
    partner_id: 'D-1',
    stage_id,
    name: 'work.txt',
    size: 1,
    sha256: 'a'.repeat(64),
    content_type: 'text/plain',
    uploaded_at: now,
    status: 'stored',
    uploaded_by: null,
  } as const;
  return { ...state, work_file: [...state.work_file, file] };
}

/** The largest amount: 18 digits before the decimal point. */
export const largest = 10n ** 20n - 1n;
const cents = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 50_000n));
const anyCents = fc.oneof(
  { weight: 8, arbitrary: cents },
  { weight: 1, arbitrary: fc.constant(0n) },
  { weight: 1, arbitrary: fc.bigInt(-500n, -1n) },
);

/** Without cents, with three decimals, in lower case, in no list, and usual ones. */
const currencies = fc.constantFrom('PLN', 'PLN', 'PLN', 'JPY', 'JPY', 'jpy', 'KRW', 'KWD', 'ABC');

/** Deals of both versions and modes, of 1 to 4 stages, with and without fees, in any currency. */
export const shapes: fc.Arbitrary<Shape> = fc
  .record({
    version: fc.constantFrom('1.0' as const, '2.0' as const),
    mode: fc.constantFrom('invoice' as const, 'prepaid' as const),
    one: cents,
    many: fc.array(anyCents, { minLength: 1, maxLength: 4 }),
    fees: fc.tuple(fc.boolean(), fc.nat(30), fc.nat(30), fc.nat(40)),
    isByTerms: fc.boolean(),
    expires: fc.boolean(),
    isLarge: fc.nat(9).map((one) => one === 9),
    tolerance: fc.constantFrom(0n, 0n, 1n, 10n, 300n),
    currency: currencies,
    // finer money is refused from the start, once the deal has some, or never
    refusal: fc.constantFrom('first' as const, 'later' as const, 'never' as const),
  })
  .map(({ version, mode, one, many, fees, isByTerms, expires, isLarge, ...terms }) => {
    const { currency, refusal, tolerance } = terms;
    const unit = unitOf({ currency });
    const drawn = version === '1.0' ? many : [one];
    const small = refusal === 'first' ? drawn.map((each) => each * unit) : drawn;
    // nearly the largest amount, together with the others
    const others = small.slice(1).reduce((sum, each) => sum + (each > 0n ? each : -each), 0n);
    const most = refusal === 'first' ? inUnits({ currency }, largest) : largest;
    const budgets = isLarge ? [most - others, ...small.slice(1)] : small;
    const amount = sumOf(budgets);
    const [hasFees, employer, contractor, whole] = fees;
    const part = (percent: number) =>
      hasFees && amount > 0n ? inUnits({ currency }, (amount * BigInt(percent)) / 100n) : 0n;
    // sometimes the fee takes the whole amount of the contractor
    const percent = { employer, contractor: whole === 0 ? 100 : contractor };
    const isFiner = amount % unit !== 0n;
    return {
      version,
      mode,
      budgets,
      currency,
      employerFee: part(percent.employer),
      contractorFee: part(percent.contractor),
      expires: version === '2.0' || expires,
      ...(tolerance > 0n && { tolerance }),
      wholeUnits: refusal === 'first' || (refusal === 'later' && isFiner),
      ...(hasFees && isByTerms && { percent }),
    };
  });
