import {
  type ContractorPaymentReport,
  type EmployerPaymentReport,
  isTenant,
  type OfStage,
  type OperatorDeals,
  type PartnerCommands,
  type Reasoned,
} from 'dealwright';
import { methodOf } from 'dealwright/life';
import { asking, type CommandRow, examples, fieldOptions, keyOption } from './command-row.js';
import {
  type Fields,
  fieldsOfCommands,
  membersOf,
  remarkFields,
  reportFields,
  retryFields,
} from './fields.js';
import { dealText } from './read-commands.js';
import type { Session } from './session.js';

type PartnerMethod = keyof PartnerCommands<never, never>;

/** What each command of a partner does, where its name does not say it. */
const does: Readonly<Partial<Record<PartnerMethod, string>>> = {
  invite: 'say that the freelancer was told',
  accept: 'accept for the freelancer of a deal of version 1.0',
  decline: 'decline for the freelancer of a deal of version 1.0',
  cancel: 'cancel a deal, while nothing is paid and no work is delivered',
  deliver: 'deliver the work: each stage needs a file',
  requestChanges: 'send delivered work back',
  approve: 'approve delivered work, which is then paid',
  dispute: 'stop everything until your staff resolves it',
  requestPayment: 'ask again for a payment, after a request has failed or expired',
};

/** The commands of a partner, one for each of the life cycle. */
export const dealCommands: Readonly<Record<string, CommandRow>> = Object.fromEntries(
  Object.entries(fieldsOfCommands).map(([command, fields]) => {
    const method = methodOf(command) as PartnerMethod;
    return [
      `deals ${command}`,
      {
        description: does[method] ?? `give a deal the command ${command}`,
        arguments: { '<partner-id>': 'your own id of the deal' },
        options: [...fieldOptions(fields), keyOption],
        ...asking((session, partnerId) => giveCommand(session, fields, method, partnerId)),
      },
    ];
  }),
);

async function giveCommand(
  session: Session,
  fields: Fields,
  method: PartnerMethod,
  partnerId = '',
): Promise<number> {
  const members = membersOf(fields, session.flags);
  if (members.isErr()) return session.complain(members.error);
  const input: unknown = members.value;
  // what is missing the service says, with everything else that is wrong
  const result = await session.api[method](partnerId, input as OfStage<Reasoned>, session.call);
  return session.answer(result, (deal) => dealText(deal, session.width));
}

interface StaffCommand {
  readonly method:
    | 'recordEmployerPayment'
    | 'recordContractorPayment'
    | 'retryPayout'
    | 'retryRefund'
    | 'requestPayment';
  readonly description: string;
  readonly fields: Fields;
}

const employerStatuses: readonly EmployerPaymentReport['status'][] = [
  ...(['processing', 'paid', 'failed', 'expired'] as const),
  ...(['partially_refunded', 'refunded', 'charged_back', 'refund_failed'] as const),
];
const contractorStatuses: readonly ContractorPaymentReport['status'][] = [
  ...(['processing', 'paid', 'failed', 'returned'] as const),
];

/** The commands of the staff that are about payments. */
const staffCommands: Readonly<Record<string, StaffCommand>> = {
  'record-employer': {
    method: 'recordEmployerPayment',
    description: "report what became of an employer's payment",
    fields: reportFields(
      employerStatuses,
      'the payment; without it money that is paid is a payment of its own',
    ),
  },
  'record-contractor': {
    method: 'recordContractorPayment',
    description: 'report what became of a payout',
    fields: reportFields(contractorStatuses, 'the payout (required)'),
  },
  retry: {
    method: 'retryPayout',
    description: 'send payouts again that have failed or came back',
    fields: retryFields,
  },
  'retry-refund': {
    method: 'retryRefund',
    description: 'ask anew for refunds that have failed',
    fields: retryFields,
  },
  request: {
    method: 'requestPayment',
    description: 'ask the employer again for what is due',
    fields: remarkFields,
  },
};

const dealOfPartner = {
  '<partner>': 'the partner',
  '<partner-id>': "the partner's own id of the deal",
};

/** What the staff does about payments. */
export const paymentCommands: Readonly<Record<string, CommandRow>> = {
  'payments get': {
    description: 'show a deal with its payments',
    arguments: dealOfPartner,
    help: examples('dealwright payments get acme order-2'),
    ...asking(
      (session, ...deal) =>
        withDeal(session, deal, (deals, id) =>
          deals.retrieveDeal(id, { ...session.call, language: session.language }),
        ),
      'DEALWRIGHT_OPERATOR_TOKEN',
    ),
  },
  ...Object.fromEntries(
    Object.entries(staffCommands).map(([name, { description, fields, method }]) => [
      `payments ${name}`,
      {
        description,
        arguments: dealOfPartner,
        options: [...fieldOptions(fields), keyOption],
        ...asking(
          (session, ...deal) => giveStaffCommand(session, deal, fields, method),
          'DEALWRIGHT_OPERATOR_TOKEN',
        ),
      },
    ]),
  ),
};

async function giveStaffCommand(
  session: Session,
  deal: readonly string[],
  fields: Fields,
  method: StaffCommand['method'],
): Promise<number> {
  const members = membersOf(fields, session.flags);
  if (members.isErr()) return session.complain(members.error);
  const input: unknown = members.value;
  return withDeal(session, deal, (deals, id) =>
    // one that takes less ignores the rest
    deals[method](id, input as EmployerPaymentReport & ContractorPaymentReport, session.call),
  );
}

/** Shows what a call about a deal of a partner answers. */
async function withDeal(
  session: Session,
  [partner = '', id = '']: readonly string[],
  ask: (
    deals: OperatorDeals,
    id: string,
  ) => ReturnType<OperatorDeals['retryPayout' | 'retrieveDeal']>,
): Promise<number> {
  if (!isTenant({ environment: 'sandbox', partner })) {
    return session.complain('a partner has 1 to 128 characters');
  }
  const result = await ask(session.operator().partner(partner), id);
  return session.answer(result, (deal) => dealText(deal, session.width));
}
