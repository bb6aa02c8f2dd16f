import type {
  AmendmentInput,
  ContractorPaymentReport,
  EmployerPaymentReport,
  LocalMarketplace,
  OperatorDeals,
  PartnerApi,
  Proposal,
} from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import type { Dice } from '../faults/dice.js';
import { tenant } from '../kit/requests.js';

/** The faces of one of several processes over the same store. */
export interface Machine {
  readonly api: PartnerApi<never>;
  readonly operatorDeals: OperatorDeals<never>;
}

/** The faces of a marketplace. */
export function machineOf(marketplace: LocalMarketplace): Machine {
  const operatorDeals = marketplace.operator(tenant.environment).partner(tenant.partner);
  return { api: marketplace.partner(tenant), operatorDeals };
}

type Options = { readonly idempotencyKey?: string };
type Sent = ResultAsync<unknown, { readonly code: string }>;

/** A call for one deal. */
export interface Wish {
  readonly actor: 'partner' | 'operator';
  /** The command as a path names it, or `upload`. */
  readonly name: string;
  readonly input: object;
  readonly key?: string;
  send(machine: Machine, options: Options): Sent;
}

function wish<I extends object>(
  actor: Wish['actor'],
  name: string,
  input: I,
  send: (machine: Machine, input: I, options: Options) => Sent,
): Wish {
  return { actor, name, input, send: (machine, options) => send(machine, input, options) };
}

type Decision = 'accept' | 'reject' | 'withdraw';
type Consent = Pick<Proposal, 'id' | 'terms_sha256'>;
type OfStage = { readonly stage_id?: number };
const why = { reason: 'Because.' };

/** The calls for the deal with this `partner_id`. */
export function wishesFor(id: string) {
  return {
    invite: () => wish('partner', 'invite', {}, ({ api }, said, o) => api.invite(id, said, o)),
    accept: () => wish('partner', 'accept', {}, ({ api }, said, o) => api.accept(id, said, o)),
    decline: () => wish('partner', 'decline', {}, ({ api }, said, o) => api.decline(id, said, o)),
    cancel: () => wish('partner', 'cancel', {}, ({ api }, said, o) => api.cancel(id, said, o)),
    deliver: (of: OfStage) =>
      wish('partner', 'deliver', of, ({ api }, said, o) => api.deliver(id, said, o)),
    approve: (of: OfStage) =>
      wish('partner', 'approve', of, ({ api }, said, o) => api.approve(id, said, o)),
    requestChanges: (of: OfStage) =>
      wish('partner', 'request-changes', { ...of, ...why }, ({ api }, said, o) =>
        api.requestChanges(id, said, o),
      ),
    dispute: () => wish('partner', 'dispute', why, ({ api }, said, o) => api.dispute(id, said, o)),
    requestPayment: () =>
      wish('partner', 'request-payment', {}, ({ api }, said, o) => api.requestPayment(id, said, o)),
    upload: (stage_id: number, name: string) =>
      wish('partner', 'upload', { stage_id, name }, ({ api }, said, o) =>
        api.uploadFile({ partner_id: id }, { ...said, content: Uint8Array.of(97) }, o),
      ),
    end: () =>
      wish('operator', 'cancel', why, ({ operatorDeals }, said, o) =>
        operatorDeals.cancel(id, said, o),
      ),
    resolve: (agreed_amount: string) =>
      wish('operator', 'resolve', { agreed_amount }, ({ operatorDeals }, said, o) =>
        operatorDeals.resolve(id, said, o),
      ),
    propose: (changes: AmendmentInput) =>
      wish('partner', 'propose', { kind: 'amendment', changes }, ({ api }, { changes }, o) =>
        api.propose(id, { kind: 'amendment', changes }, o),
      ),
    decideOn: (decision: Decision, { id: proposal_id, terms_sha256 }: Consent) => {
      const input = { proposal_id, ...(decision === 'accept' && { terms_sha256 }) };
      return wish('partner', `${decision}-proposal`, input, ({ api }, _, o) => {
        if (decision === 'accept') return api.acceptProposal(id, proposal_id, { terms_sha256 }, o);
        if (decision === 'reject') return api.rejectProposal(id, proposal_id, {}, o);
        return api.withdrawProposal(id, proposal_id, {}, o);
      });
    },
    bonus: (amount: string) =>
      wish('partner', 'add-bonus', { amount }, ({ api }, said, o) => api.addBonus(id, said, o)),
    retry: () =>
      wish('operator', 'retry-payout', {}, ({ operatorDeals }, said, o) =>
        operatorDeals.retryPayout(id, said, o),
      ),
    employerPayment: (report: EmployerPaymentReport) =>
      wish('operator', 'record-employer-payment', report, ({ operatorDeals }, said, o) =>
        operatorDeals.recordEmployerPayment(id, said, o),
      ),
    payout: (report: ContractorPaymentReport) =>
      wish('operator', 'record-contractor-payment', report, ({ operatorDeals }, said, o) =>
        operatorDeals.recordContractorPayment(id, said, o),
      ),
  };
}

/** The known facts of the deal when the commands are drawn. */
export interface Known {
  readonly stages: readonly number[];
  readonly employerPayments: readonly string[];
  readonly payouts: readonly string[];
  /** The open one, if calls about terms are drawn: they cost many of the others their effect. */
  readonly proposals?: readonly Consent[];
}

const ofEmployer = ['paid', 'paid', 'paid', 'processing', 'failed', 'refunded', 'charged_back'];
const ofPayout = ['paid', 'processing', 'failed', 'returned'] as const;

/** Draws this many calls: some with keys, some keys, calls and reports twice. */
export function drawWishes(id: string, known: Known, dice: Dice, count: number): readonly Wish[] {
  const all = wishesFor(id);
  const drawn: Wish[] = [];
  const stage = () => dice.pick(known.stages) ?? 0;
  const some = (): OfStage => (dice.isBelow(80) ? { stage_id: stage() } : {});
  const amount = () => dice.pick(['500.00', '120.00', '0.01', '1000.00']) ?? '1.00';
  const payment_id = () => (dice.isBelow(80) ? dice.pick(known.employerPayments) : undefined);
  const employerPayment = () => {
    const of = payment_id();
    const status = dice.pick(ofEmployer) as EmployerPaymentReport['status'];
    return all.employerPayment({
      // without a payment, the status can only be paid
      ...(of === undefined ? { status: 'paid' } : { payment_id: of, status }),
      ...(of === undefined || dice.isBelow(50) ? { amount: amount() } : {}),
      reference: `in-${dice.below(6)}`,
    });
  };
  const payout = () => {
    const of = dice.pick(known.payouts);
    if (of === undefined) return employerPayment();
    const status = dice.pick(ofPayout) ?? 'paid';
    return all.payout({ payment_id: of, status, reference: `out-${dice.below(4)}` });
  };
  const kinds: readonly (readonly [weight: number, draw: () => Wish])[] = [
    [1, all.invite],
    [2, all.accept],
    [1, all.decline],
    [1, all.cancel],
    [12, () => all.deliver(some())],
    [10, () => all.approve(some())],
    [8, () => all.requestChanges(some())],
    [1, all.dispute],
    [4, all.requestPayment],
    [8, () => all.upload(stage(), `file-${drawn.length}`)],
    [1, all.end],
    [2, () => all.resolve(dice.pick(['0', '250.00', '1000.00']) ?? '0')],
    [2, all.retry],
    [16, employerPayment],
    [12, payout],
  ];
  const { proposals } = known;
  const aboutTerms: typeof kinds = [
    [4, () => all.propose({ title: dice.pick(['One', 'Two', 'Three']) ?? '' })],
    [3, () => all.propose({ stages: known.stages.slice(dice.below(2)).map((id) => ({ id })) })],
    [3, () => all.bonus('10.00')],
    [
      24,
      () => {
        const decision = dice.pick(['accept', 'accept', 'reject', 'withdraw'] as const) ?? 'accept';
        const open = dice.pick(proposals ?? []);
        return open === undefined ? all.bonus('0.50') : all.decideOn(decision, open);
      },
    ],
  ];
  const drawable = proposals === undefined ? kinds : [...kinds, ...aboutTerms];
  const hat = drawable.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));
  while (drawn.length < count) {
    const again = dice.isBelow(10) ? dice.pick(drawn) : undefined;
    const next = again ?? dice.pick(hat)?.() ?? all.accept();
    const key = again?.key ?? (dice.isBelow(30) ? `key-${dice.below(12)}-of-${id}` : undefined);
    drawn.push(key === undefined ? next : { ...next, key });
  }
  return drawn;
}
