import {
  type Bonus,
  type ContractorPaymentReport,
  type DealDetails,
  type DealRetrieved,
  type EmployerPaymentReport,
  type FreelancerView,
  isTenant,
  type OfStage,
  type OperatorDeals,
  type OperatorView,
  type PartnerCommands,
  type Reasoned,
  type Resolution,
  type WriteOff,
} from 'dealwright';
import {
  type CommandBy,
  type CommandDescription,
  commandsOf,
  describeCommands,
  describeStates,
  drawStates,
  lifecycle,
  methodOf,
  type States,
} from 'dealwright/life';
import type { ResultAsync } from 'neverthrow';
import { asking, type CommandRow, examples, fieldOptions, keyOption } from './command-row.js';
import { dealText } from './deal-commands.js';
import type { Failure } from './describe-failure.js';
import { type Fields, type Flags, fieldsOfCommands, membersOf } from './fields.js';
import { formatRecord, formatTable, printableJson } from './output.js';
import type { Session } from './session.js';

type PartnerMethod = keyof PartnerCommands<never, never>;

/** The effect of each command of a partner, if its name does not tell it. */
const does: Readonly<Partial<Record<PartnerMethod, string>>> = {
  invite: 'say that the freelancer was told',
  accept: 'accept for the freelancer of a deal of version 1.0',
  decline: 'decline for the freelancer of a deal of version 1.0',
  cancel: 'cancel a deal, while no work is delivered, and nothing is paid or it is overdue',
  deliver: 'deliver the work: each stage needs a file',
  requestChanges: 'send delivered work back',
  approve: 'approve delivered work, which is then paid',
  dispute: 'stop everything until an operator resolves it',
  addBonus: 'pay more than was agreed',
  requestPayment: 'ask again for a payment, after a request has failed or expired',
};

/** The commands of a partner, one for each of the life cycle. */
export const dealCommands: Readonly<Record<string, CommandRow>> = Object.fromEntries(
  commandsOf(lifecycle, 'partner').map((command) => {
    const fields = fieldsOfCommands.partner[command] ?? {};
    const method = methodOf(command);
    return [
      `deals ${command}`,
      {
        description: does[method] ?? `give a deal the command ${command}`,
        arguments: { '<partner-id>': 'your own id of the deal' },
        options: [...fieldOptions(fields), keyOption],
        ...asking((session, partnerId = '') =>
          giveCommand(session, fields, (input) =>
            session.api[method](partnerId, input as OfStage<Reasoned> & Bonus, session.call),
          ),
        ),
      },
    ];
  }),
);

/** Gives a command with the values of flags, and shows the deal after it. */
export async function giveCommand(
  session: Session,
  fields: Fields,
  give: (
    input: unknown,
  ) => ResultAsync<DealRetrieved | DealDetails | OperatorView | FreelancerView, Failure>,
): Promise<number> {
  const members = membersOf(fields, session.flags);
  if (members.isErr()) return session.complain(members.error);
  // the service reports missing members, with all other problems
  const result = await give(members.value);
  return session.answer(result, (deal) => dealText(deal, session.width));
}

/** The commands of the operator about payments: the name of each here, and its effect. */
const operatorCommands = {
  'record-employer-payment': ['record-employer', "report what became of an employer's payment"],
  'record-contractor-payment': ['record-contractor', 'report what became of a payout'],
  'retry-payout': [
    'retry',
    'send payouts again that have failed or came back: all of them, or one',
  ],
  'retry-refund': [
    'retry-refund',
    'ask anew for refunds that have failed: all of them, or those of one payment',
  ],
  'write-off': ['write-off', 'take an amount out of what the employer owes'],
  'refund-surplus': ['refund-surplus', 'send back at once what came beyond what is owed'],
  'request-payment': ['request', 'ask the employer again for what is due'],
} as const satisfies Partial<
  Record<CommandBy<typeof lifecycle, 'operator'>, readonly [name: string, does: string]>
>;

const ofPayments = Object.keys(operatorCommands) as (keyof typeof operatorCommands)[];

/** A command that needs less ignores the rest. */
type EveryInput = Reasoned &
  Resolution &
  WriteOff &
  EmployerPaymentReport &
  ContractorPaymentReport;

export const dealOfPartner = {
  '<partner>': 'the partner',
  '<partner-id>': "the partner's own id of the deal",
};

/** The commands of the operator about payments. */
export const paymentCommands: Readonly<Record<string, CommandRow>> = {
  'payments get': {
    description: 'show a deal with its payments',
    arguments: dealOfPartner,
    help: examples('dealwright payments get acme order-2'),
    ...asking(
      (session, partner, partnerId = '') =>
        withDeals(session, partner, async (deals) => {
          const result = await deals.retrieveDeal(partnerId, session.call);
          return session.answer(result, (deal) => dealText(deal, session.width));
        }),
      'DEALWRIGHT_OPERATOR_TOKEN',
    ),
  },
  ...Object.fromEntries(
    ofPayments.map((command) => {
      const [name, description] = operatorCommands[command];
      const fields = fieldsOfCommands.operator[command] ?? {};
      const method = methodOf(command);
      return [
        `payments ${name}`,
        {
          description,
          arguments: dealOfPartner,
          options: [...fieldOptions(fields), keyOption],
          ...asking(
            (session, partner, partnerId = '') =>
              withDeals(session, partner, (deals) =>
                giveCommand(session, fields, (input) =>
                  deals[method](partnerId, input as EveryInput, session.call),
                ),
              ),
            'DEALWRIGHT_OPERATOR_TOKEN',
          ),
        },
      ];
    }),
  ),
};

/** Works with the deals of a partner. */
export async function withDeals(
  session: Session,
  partner = '',
  work: (deals: OperatorDeals) => Promise<number>,
): Promise<number> {
  return isTenant({ environment: 'sandbox', partner })
    ? work(session.operator().partner(partner))
    : session.complain('a partner has 1 to 128 characters');
}

/** Prints the life cycle that this program serves: its table, or its diagrams as Markdown. */
export async function showLifecycle(process: NodeJS.Process, flags: Flags): Promise<number> {
  const { stdout } = process;
  const width = stdout.isTTY ? stdout.columns : undefined;
  const states = describeStates(lifecycle);
  const commands = describeCommands(lifecycle);
  const diagrams = drawStates(lifecycle);
  const [data, texts] =
    flags.diagram === true
      ? [diagrams, Object.entries(diagrams).map(fenced)]
      : [
          { states, commands },
          [
            ...Object.entries(states).map(([kind, own]) => `${kind}\n${table(own, width)}`),
            ...commands.map((row) => `${row.command}\n${formatRecord(recordOf(row), width)}`),
          ],
        ];
  const text = flags.json === true ? `${printableJson(data, 2)}\n` : texts.join('\n');
  await new Promise((resolve) => stdout.write(text, resolve));
  return 0;
}

/** Markdown viewers draw it; a file of Mermaid contains only one diagram. */
function fenced([kind, diagram]: [string, string]): string {
  return `## ${kind}\n\n\`\`\`mermaid\n${diagram}\`\`\`\n`;
}

function table({ start, moves }: States, width: number | undefined): string {
  const rows = moves.map(({ from, to, by }) => [from, to, by]);
  const head = ['from', 'to', 'by'];
  return formatTable([['', start, ''], ...rows], { head, flexible: 2, wrap: true, width });
}

function recordOf(row: CommandDescription): object {
  const { by, from, stage, freelancer, guards, input, to, mayStay } = row;
  return {
    by,
    ...(row.due !== undefined && { due: row.due }),
    from,
    ...(row.countsAs !== undefined && { counts_as: row.countsAs }),
    ...(freelancer && { freelancer_from: freelancer }),
    ...(stage && { stage_from: stage.from }),
    guards: guards.map(({ reason, says }) => `${says} (${reason})`).join('; '),
    input: input.map(({ name, required }) => (required ? name : `[${name}]`)),
    to: mayStay ? [...to, 'unchanged'] : to,
    ...(row.freelancerTo !== undefined && { freelancer_to: row.freelancerTo }),
    ...(row.stageTo.length > 0 && { stage_to: row.stageTo }),
    event: row.event,
  };
}
