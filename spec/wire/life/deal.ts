import { check, equal, show } from '../../expectations.js';
import { notApplicable } from '../../laws.js';
import {
  type Caller,
  expectError,
  expectStatus,
  type Json,
  type Members,
  membersOf,
  type Reply,
  type Request,
  type Server,
} from '../server.js';

/** Who gives a command, and through which face: path and token follow from it. */
export type By = 'partner' | 'freelancer' | 'operator' | `sandbox/${Actor}`;

type Actor = 'partner' | 'freelancer' | 'operator' | 'payments';

/** The employer of the sandbox never answers a request of such an amount: only reports count. */
export const silentAmount = '100.04';

/** The body of a command that needs a reason. */
export const because: Members = { reason: 'The title is missing.' };

/** A stage as deal details show it. */
export interface Stage extends Members {
  readonly id: number;
  readonly status: string;
}

/** A deal as its details show it. */
export interface Details extends Members {
  readonly status: string;
  readonly freelancer_status: string;
  readonly stages: readonly Stage[];
}

/** A deal that a case leads through its life. */
export interface LivingDeal {
  readonly server: Server;
  readonly partner_id: string;
  /** Empty for a deal of version 1.0. */
  readonly payment_token: string;
  /** The path of the partner, or of the offer, up to the slash before the command. */
  path(by: By): string;
  give(by: By, command: string, request?: Request): Promise<Reply>;
  /** Gives a command that must succeed; returns the deal, as this face shows it. */
  done(by: By, command: string, body?: Members): Promise<Members>;
  /** Uploads a work file for each stage. */
  upload(by?: 'partner' | 'freelancer'): Promise<void>;
  /** The details of the deal, for its partner. */
  details(): Promise<Details>;
}

/** Makes a deal of version 2.0. */
export async function newDeal(server: Server, changes: Members = {}): Promise<LivingDeal> {
  const made = await server.makeDealV2({ amount: silentAmount, ...changes });
  return ofOneStage(livingDeal(server, made.partner_id, made.payment_token));
}

/** Makes a deal of version 1.0. */
export async function newDealV1(server: Server, changes: Members = {}): Promise<LivingDeal> {
  const { partner_id } = await server.makeDeal({ budget: silentAmount, ...changes });
  return ofOneStage(livingDeal(server, partner_id, ''));
}

/** The scenes of a life have one stage: a deal that the host has split has another life. */
async function ofOneStage(deal: LivingDeal): Promise<LivingDeal> {
  if (deal.server.promised.splits_deals) {
    const query = new URLSearchParams({ partner_id: deal.partner_id });
    const { stages } = asDetails(
      await deal.server.partner.data('GET', `/api/2.0/deal/by-id/?${query}`),
    );
    if (stages.length > 1) notApplicable('the host has split the deal into stages');
  }
  return deal;
}

function livingDeal(server: Server, partner_id: string, payment_token: string): LivingDeal {
  const own = `/api/2.0/deal/${partner_id}`;
  const callerOf = (by: By) => {
    if (by === 'freelancer') return server.freelancer(payment_token);
    return by === 'operator' ? server.operator : server.partner;
  };
  const deal: LivingDeal = {
    server,
    partner_id,
    payment_token,
    path(by) {
      const [face, actor] = by.split('/');
      if (face === 'freelancer') return '/api/2.0/offer';
      if (face === 'operator') {
        return `/operator/${encodeURIComponent(server.partnerName)}/deal/${partner_id}`;
      }
      return face === 'partner' ? own : `/api/2.0/sandbox/deal/${partner_id}/${actor}`;
    },
    give: (by, command, request = { body: {} }) =>
      callerOf(by).send('POST', `${deal.path(by)}/${command}/`, request),
    async done(by, command, body = {}) {
      const reply = await deal.give(by, command, { body });
      expectStatus(reply, 200);
      return membersOf(reply.members()['data'], 'the member data of the answer');
    },
    async upload(by = 'partner') {
      for (const { id } of (await deal.details()).stages) {
        const body = { ...workFile, stage_id: id };
        expectStatus(await callerOf(by).send('POST', `${deal.path(by)}/file/`, { body }), 201);
      }
    },
    details: async () => asDetails(await server.partner.data('GET', `${own}/`)),
  };
  return deal;
}

/** The body of an upload. */
export const workFile: Members = {
  name: 'draft.txt',
  content_type: 'text/plain',
  content: btoa('The first draft.'),
};

/** The details of a deal, which must have its stages. */
export function asDetails(data: Members): Details {
  arrayOf(data['stages'], 'the stages of the deal');
  return data as Details;
}

/** The elements of a value, which must be an array of objects. */
export function arrayOf(value: Json, what: string): readonly Members[] {
  check(Array.isArray(value), `${what} are an array\n  actual: ${show(value)}`);
  return value.map((each) => membersOf(each, `each of ${what}`));
}

/** The statuses of the deal, of its freelancer and of its one stage. */
export type Statuses = readonly [deal: string, freelancer: string, stage: string];

/** Fails the case unless the deal and every stage of it have these statuses. */
export function expectStatuses(details: Details, [deal, freelancer, stage]: Statuses): void {
  const { status, freelancer_status, stages } = details;
  equal(
    { status, freelancer_status, stages: stages.map((each) => each.status) },
    { status: deal, freelancer_status: freelancer, stages: stages.map(() => stage) },
    'the statuses of the deal, of its freelancer and of its stages',
  );
}

/** The states to which the partner and the freelancer lead a deal without money, and the way. */
const ways = {
  created: async () => {},
  invited: (deal) => deal.done('partner', 'invite'),
  accepted: (deal) => deal.done('freelancer', 'accept'),
  async delivered(deal) {
    await ways.accepted(deal);
    await deal.upload();
    await deal.done('freelancer', 'deliver');
  },
  async changes_requested(deal) {
    await ways.delivered(deal);
    await deal.done('partner', 'request-changes', because);
  },
  async approved(deal) {
    await ways.delivered(deal);
    await deal.done('partner', 'approve');
  },
  async disputed(deal) {
    await ways.changes_requested(deal);
    await deal.done('partner', 'dispute', because);
  },
  cancelled: (deal) => deal.done('partner', 'cancel'),
  declined: (deal) => deal.done('freelancer', 'decline'),
} as const satisfies Readonly<Record<string, (deal: LivingDeal) => Promise<unknown>>>;

/** A state of a deal of one stage, by the last command. */
export type State = keyof typeof ways;

/** The statuses in each state. */
export const statusesIn: Readonly<Record<State, Statuses>> = {
  created: ['created', 'new', 'pending'],
  invited: ['created', 'invited', 'pending'],
  accepted: ['accepted', 'accepted', 'pending'],
  delivered: ['delivered', 'accepted', 'submitted'],
  changes_requested: ['changes_requested', 'accepted', 'changes_requested'],
  approved: ['approved', 'accepted', 'approved'],
  disputed: ['disputed', 'accepted', 'changes_requested'],
  cancelled: ['cancelled', 'removed', 'cancelled'],
  declined: ['cancelled', 'declined', 'cancelled'],
};

/** Makes a deal of version 2.0 and leads it to a state. */
export async function dealIn(state: State, server: Server, changes?: Members): Promise<LivingDeal> {
  const deal = await newDeal(server, changes);
  await ways[state](deal);
  return deal;
}

/**
 * Commands that a later part of the interface may add to `legal`, or make legal in one more state:
 * they are not judged.
 */
const openCommands = (deal_status: string) =>
  deal_status === 'changes_requested' ? ['add-bonus', 'cancel'] : ['add-bonus'];

/** Fails the case unless the answer is `illegal_transition`; returns its member `legal`, sorted. */
export function expectIllegal(reply: Reply, [deal_status, freelancer_status]: Statuses): string[] {
  const error = expectError(reply, 409, 'illegal_transition');
  equal(
    { deal_status: error['deal_status'], freelancer_status: error['freelancer_status'] },
    { deal_status, freelancer_status },
    'the statuses in the error',
  );
  const { legal } = error;
  check(Array.isArray(legal), `the member legal is an array\n  actual: ${show(legal)}`);
  const isOpen = new Set<Json>(openCommands(deal_status));
  return legal.filter((each) => !isOpen.has(each)).sort();
}

/** Fails the case unless the answer is `precondition_failed` for this reason. */
export function expectReason(reply: Reply, reason: string): void {
  const error = expectError(reply, 409, 'precondition_failed');
  equal(error['reason'], reason, 'the reason of the refusal');
}

/** Fails the case unless the request leaves the deal as it is; returns the answer. */
export async function changesNothing(
  deal: LivingDeal,
  request: () => Promise<Reply>,
): Promise<Reply> {
  const before = await deal.details();
  const reply = await request();
  equal(await deal.details(), before, 'the details of the deal, before and after the request');
  return reply;
}

/** Runs the effects that are due, if the run has an operator: without one the server does it. */
export async function runEffects(server: Server): Promise<void> {
  const operator = operatorOf(server);
  if (operator === undefined) return;
  expectStatus(await operator.send('POST', '/operator/run-effects/'), 200);
}

function operatorOf(server: Server): Caller | undefined {
  try {
    return server.operator;
  } catch {
    return undefined;
  }
}

/** Waits for the gateway of the sandbox, until the deal is as it is to become. */
export async function becomes(
  deal: LivingDeal,
  what: string,
  isSo: (details: Details) => boolean,
): Promise<Details> {
  return deal.server.until(what, async () => {
    await runEffects(deal.server);
    const details = await deal.details();
    return isSo(details) ? details : undefined;
  });
}
