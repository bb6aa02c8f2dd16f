import type {
  ContractorPaymentReport,
  EmployerPaymentReport,
  PayoutRetry,
  RefundRetry,
  Resolution,
} from 'dealwright';
import { type Members, remarks, stageRemarks } from './members.js';

// what commands of the staff say: a client of partners does not load it

export const resolutionMembers: Members<Resolution> = { agreed_amount: true, ...remarks };

export const retryMembers: Members<PayoutRetry | RefundRetry> = { payment_id: true, ...remarks };

export const reportMembers: Members<EmployerPaymentReport | ContractorPaymentReport> = {
  payment_id: true,
  status: true,
  amount: true,
  reference: true,
};

/** What any command may say. */
export const everyMember = {
  ...stageRemarks,
  ...resolutionMembers,
  ...reportMembers,
};
