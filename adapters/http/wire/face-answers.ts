import type {
  OfferEvent,
  OfferEventsPage,
  OfferView,
  RunFailure,
  RunReport,
  SandboxTime,
} from 'dealwright';
import { contractorPayment, dealStatuses, stage } from './answers.js';
import type { Shape } from './shape.js';

// the answers of the other faces: a client of partners does not load them

export const offerView: Shape<OfferView> = {
  title: 'text',
  description: 'text',
  amount: 'money',
  currency: 'text',
  copyright_transfer: 'copyright transfer or null',
  ...dealStatuses,
  agreed_amount: 'money or null',
  created_at: 'time',
  stages: [stage],
  contractor_payments: [contractorPayment],
};

export const offerEvent: Shape<OfferEvent> = {
  id: 'ulid',
  type: 'event type',
  at: 'time',
  actor: 'actor',
  data: 'event data',
};

export const offerEventsPage: Shape<OfferEventsPage> = { results: [offerEvent], next: 'cursor' };

/** A cause stays in the process. */
const runFailure: Shape<Omit<RunFailure, 'cause'>> = {
  partner: 'text',
  partner_id: 'text',
  reason: 'text',
};

export const runReport: Shape<
  Omit<RunReport, 'failures'> & { failures: readonly Omit<RunFailure, 'cause'>[] }
> = { done: 'integer', failed: 'integer', failures: [runFailure] };

export const sandboxTime: Shape<SandboxTime> = { now: 'time', due_left: 'boolean' };
