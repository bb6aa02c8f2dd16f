import type { OfferView, RunReport, SandboxTime } from 'dealwright';
import { contractorPayment, dealStatuses, type Shape, stage } from './answers.js';

// the answers of the other faces: a client of partners does not load them

export const offerView: Shape<OfferView> = {
  title: 'text',
  description: 'text',
  amount: 'money',
  currency: 'text',
  copyright_transfer: 'text or null',
  ...dealStatuses,
  agreed_amount: 'money or null',
  created_at: 'time',
  stages: [stage],
  contractor_payments: [contractorPayment],
};

export const runReport: Shape<RunReport> = { done: 'integer', failed: 'integer' };

export const sandboxTime: Shape<SandboxTime> = { now: 'time' };
