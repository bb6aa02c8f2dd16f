import type {
  Billing,
  DealDetails,
  EmployerPayment,
  Issue,
  PartnerCommands,
  WorkFile,
} from 'dealwright';
import type { AnswerOf } from '../wire/answers.js';
import type { Problem } from '../wire/problem.js';
import type { Example } from './example.js';

type Command = keyof PartnerCommands<never, never>;
/** A command without one is shown like those of a host. */
export type CommandExamples = {
  readonly [K in Command]?: Example & { readonly data: AnswerOf<K> };
};

/** What the examples of the commands are about, as their answers show it before them. */
export interface Deals {
  /** Of version 1.0: its partner speaks for its freelancer too. */
  readonly first: DealDetails;
  /** Of version 2.0. */
  readonly second: DealDetails;
  /** A file of either. */
  readonly file: WorkFile;
}

/** What a command changes of what the details of a deal show. */
export interface Change extends Partial<Pick<DealDetails, 'status' | 'freelancer_status'>> {
  readonly stage?: DealDetails['stages'][number]['status'];
  readonly agreed_amount?: string;
  readonly file?: WorkFile['status'];
  readonly billing?: Partial<Billing>;
}

/** A new deal of version 2.0 knows none of the later commands. */
const atFirst = {
  deal_status: 'created',
  freelancer_status: 'new',
  legal: ['invite', 'cancel'],
} satisfies Problem['known'];

/** It is too late for the first ones once the work is delivered. */
const atLast = {
  deal_status: 'delivered',
  freelancer_status: 'accepted',
  legal: ['request-changes', 'approve', 'dispute', 'request-payment'],
} satisfies Problem['known'];

export const noReason: Issue = {
  path: ['reason'],
  code: 'required',
  message: 'is required',
  params: {},
};
/** Of a command that needs no reason: one that is empty. */
export const emptyReason: Issue = {
  path: ['reason'],
  code: 'too_short',
  message: 'must have at least 1 character',
  params: { min: 1 },
};

/** The commands of a partner, each for a deal that is in a state which knows it. */
export function commandExamples({ first, second, file }: Deals): CommandExamples {
  const given = (
    deal: DealDetails,
    change: Change,
    of: Pick<Example, 'reason'> & Partial<Pick<Example, 'body' | 'known' | 'issue'>>,
  ) => ({
    parameters: { partner_id: deal.partner_id },
    body: {},
    known: atFirst,
    issue: emptyReason,
    ...of,
    data: changed(deal, change, file),
  });
  const accepted = { freelancer_status: 'accepted' } as const;
  const approved = {
    status: 'approved',
    ...accepted,
    stage: 'approved',
    file: 'accepted',
  } as const;
  const asked = requestOf(second);
  const failed = { ...asked, status: 'failed', reference: 'transfer-1' } as const;
  const again = { ...asked, id: '01KDVE0000000000000000000D' };
  return {
    invite: given(second, { freelancer_status: 'invited' }, { known: atLast }),
    accept: given(first, { status: 'accepted', ...accepted }, {}),
    decline: given(
      first,
      {
        status: 'cancelled',
        freelancer_status: 'declined',
        stage: 'cancelled',
        billing: { outstanding: '0.00' },
      },
      { body: { reason: 'No time before May.' }, reason: 'work_delivered' },
    ),
    cancel: given(
      second,
      {
        status: 'cancelled',
        freelancer_status: 'removed',
        stage: 'cancelled',
        billing: { outstanding: '0.00' },
      },
      { body: { reason: 'The project was stopped.' }, known: atLast, reason: 'work_delivered' },
    ),
    deliver: given(
      first,
      { status: 'delivered', ...accepted, stage: 'submitted', file: 'stored' },
      { body: { message: 'The first draft.' }, reason: 'no_files' },
    ),
    requestChanges: given(
      second,
      {
        status: 'changes_requested',
        ...accepted,
        stage: 'changes_requested',
        file: 'superseded',
      },
      { body: { reason: 'The title is missing.' }, issue: noReason, reason: 'stage_closed' },
    ),
    approve: given(
      second,
      { ...approved, billing: { employer_payments: [asked] } },
      { reason: 'stage_closed' },
    ),
    dispute: given(
      second,
      { status: 'disputed', ...accepted, stage: 'submitted', file: 'stored' },
      {
        body: { reason: 'The work is not what was agreed.' },
        issue: noReason,
        reason: 'not_paid',
      },
    ),
    requestPayment: given(
      second,
      { ...approved, billing: { employer_payments: [failed, again] } },
      { reason: 'nothing_outstanding' },
    ),
  };
}

/** A payment that the employer of a deal was asked for. */
export function requestOf({ amount, currency, created_at }: DealDetails): EmployerPayment {
  return {
    id: '01KDVE0000000000000000000C',
    amount,
    currency,
    status: 'requested',
    reference: null,
    requested_at: created_at,
    updated_at: created_at,
  };
}

/** Both deals have one stage. */
export function changed(deal: DealDetails, change: Change, file: WorkFile): DealDetails {
  const { status = deal.status, freelancer_status = deal.freelancer_status } = change;
  const { agreed_amount = null } = change;
  return {
    ...deal,
    status,
    freelancer_status,
    agreed_amount,
    stages: deal.stages.map((stage) => ({
      ...stage,
      status: change.stage ?? stage.status,
      agreed_amount,
      work_files:
        change.file === undefined
          ? []
          : [
              {
                ...file,
                by: deal.api_version === '1.0' ? 'partner' : 'freelancer',
                stage_id: stage.id,
                status: change.file,
              },
            ],
    })),
    billing: { ...deal.billing, ...change.billing },
  };
}
