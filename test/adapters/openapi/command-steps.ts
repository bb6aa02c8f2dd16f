import type { DealDetails, LocalMarketplace } from 'dealwright';
import { lifecycle } from 'dealwright/life';
import type { OperationName } from '../../../adapters/http/wire/all-routes.js';
import type { Route } from '../../../adapters/http/wire/route.js';

/** The names in paths, besides the deal. */
export interface OtherIds {
  readonly file_id?: string;
  readonly webhook_id?: string;
  readonly delivery_id?: string;
  readonly proposal_id?: string;
  readonly report_id?: string;
}

/** The target of a route for a deal with this identifier. */
export function targetOf(
  { path, by }: Pick<Route, 'path' | 'by'>,
  partner_id: string,
  {
    file_id = 'none',
    webhook_id = 'none',
    delivery_id = 'none',
    proposal_id = 'none',
    report_id = 'none',
  }: OtherIds = {},
): string {
  const id = encodeURIComponent(partner_id);
  const filled = path
    .replace('{id}', '1')
    .replace('{partner_id}', id)
    .replace('{partner}', 'acme')
    .replace('{actor}', 'freelancer')
    .replace(/\{(command|decision)\}/, 'accept')
    .replace('{proposal_id}', proposal_id)
    .replace('{file_id}', file_id)
    .replace('{webhook_id}', webhook_id)
    .replace('{delivery_id}', delivery_id)
    .replace('{report_id}', report_id);
  return by === 'partner_id_parameter' ? `${filled}?partner_id=${id}` : filled;
}

/** Rules of a host: every command has a guard, and a deal that has ended takes no report. */
export const refused = 'Not with me.';
export const guarded = lifecycle.map((rule) => ({
  ...rule,
  from: rule.command.startsWith('record-')
    ? (['created', 'accepted', 'approved'] as const)
    : rule.from,
  guards: [
    ...('guards' in rule ? rule.guards : []),
    {
      reason: 'stage_closed' as const,
      says: 'nobody says otherwise',
      holds({ command }: { readonly command: Said }) {
        return ![command.message, command.report?.reference].includes(refused);
      },
    },
  ],
}));

interface Said {
  readonly message?: string;
  readonly report?: { readonly reference: string };
}

const acme = { environment: 'sandbox', partner: 'acme' } as const;
type Actor = 'partner' | 'freelancer' | 'operator';
interface Leader {
  give(actor: Actor, command: string, input?: object): Promise<DealDetails>;
  upload(): Promise<unknown>;
}
type Step = (leader: Leader) => Promise<unknown>;

const accepted: Step = async ({ give, upload }) => {
  await give('freelancer', 'accept');
  await upload();
};
const delivered: Step = async (leader) => {
  await accepted(leader);
  await leader.give('freelancer', 'deliver');
};
/** Approved, but the payment has failed. */
const unpaid: Step = async (leader) => {
  await delivered(leader);
  const { billing } = await leader.give('partner', 'approve');
  const payment_id = billing.employer_payments[0]?.id;
  const failed = { payment_id, status: 'failed', reference: 'r-0' };
  await leader.give('operator', 'record-employer-payment', failed);
};
/** Approved and paid for: the payout is scheduled. */
const payable = async (leader: Leader): Promise<DealDetails> => {
  await delivered(leader);
  await leader.give('partner', 'approve');
  const paid = { status: 'paid', reference: 'r-1', amount: '1000.00' };
  return leader.give('operator', 'record-employer-payment', paid);
};
/** More than the deal owes. */
const tooMuch = { status: 'paid', reference: 'r-1', amount: '2000.00' };

/** The steps of a new deal to a state in which a command is legal. */
const steps: Partial<Readonly<Record<OperationName, Step>>> = {
  deliver: accepted,
  requestChanges: delivered,
  approve: delivered,
  dispute: delivered,
  addBonus: accepted,
  requestPayment: unpaid,
  freelancerDeliver: accepted,
  freelancerDispute: delivered,
  async operatorResolve(leader) {
    await delivered(leader);
    await leader.give('partner', 'dispute', { reason: 'r' });
  },
  operatorRequestPayment: unpaid,
  async operatorRetryPayout(leader) {
    const { billing } = await payable(leader);
    const payment_id = billing.contractor_payments[0]?.id;
    const failed = { payment_id, status: 'failed', reference: 'r-2' };
    await leader.give('operator', 'record-contractor-payment', failed);
  },
  operatorWriteOff: unpaid,
  async operatorRefundSurplus({ give }) {
    await give('operator', 'record-employer-payment', tooMuch);
  },
  async operatorRetryRefund({ give }) {
    const { billing } = await give('operator', 'record-employer-payment', tooMuch);
    const payment_id = billing.employer_payments[0]?.id;
    for (const status of ['refunded', 'refund_failed']) {
      const told = { payment_id, status, reference: 'r-2', amount: '1000.00' };
      await give('operator', 'record-employer-payment', told);
    }
  },
  operatorRecordContractorPayment: payable,
};

/** Leads a deal to a state in which a command is legal; returns the id of its payout, if any. */
export async function lead(
  marketplace: LocalMarketplace,
  name: string,
  partner_id: string,
): Promise<string> {
  const [sandbox, partner] = [marketplace.sandbox(acme), marketplace.partner(acme)];
  await steps[name as OperationName]?.({
    give: async (...given) => (await sandbox.command(partner_id, ...given))._unsafeUnwrap(),
    upload: async () =>
      (
        await partner.uploadFile({ partner_id }, { name: 'draft.txt', content: 'T25jZQ==' })
      )._unsafeUnwrap(),
  });
  const { billing } = (await partner.retrieveDealDetails(partner_id))._unsafeUnwrap();
  return billing.contractor_payments[0]?.id ?? '';
}

const why = { reason: 'So it is.' };
const report = { status: 'paid', amount: '1000.00', reference: 'r-3' };
const inputs: Partial<Readonly<Record<OperationName, object>>> = {
  addBonus: { amount: '1.00' },
  operatorResolve: { agreed_amount: '1.00', ...why },
  operatorWriteOff: { amount: '1.00', ...why },
  operatorRecordEmployerPayment: report,
  operatorRecordContractorPayment: report,
};

/** The input of a command, and another input; a report names this payment. */
export function inputOf(name: string, payment_id: string) {
  const { [name as OperationName]: own = why } = inputs;
  const isPayout = name === 'operatorRecordContractorPayment';
  const input = isPayout ? { ...own, payment_id } : own;
  const isReport = 'reference' in input;
  return {
    input,
    other: { ...input, ...(isReport ? { reference: 'r-4' } : { message: 'Other.' }) },
    guarded: { ...input, ...(isReport ? { reference: refused } : { message: refused }) },
  };
}
