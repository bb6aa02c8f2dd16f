import type { MailKind } from './kinds.js';
import { toFreelancer } from './to-freelancer.js';
import { toPartner } from './to-partner.js';
import type { Words } from './words.js';

/** The values that templates may show: what each slot means. */
export const slotNames = {
  host: 'the name of the host',
  title: 'the title of the deal',
  deal: 'the id of the deal in the system of the partner',
  client: 'the name of the partner',
  address: 'the address of the freelancer',
  amount: 'the amount of the deal',
  stages: 'the names of the stages, if the deal has several',
  agreed: 'the amount of a settlement or of a resolved dispute',
  payment: 'the amount of the payment',
  payment_id: 'the id of the payment',
  bonus: 'the amount of a bonus',
  by: 'who has acted: the partner, the freelancer or the host',
  reason: 'the reason that was given',
  message: 'the message that was given',
  proposal_ends: 'when an open proposal expires',
  review_ends: 'when delivered work counts as approved',
  proposed: 'to the partner: the amount of the deal with the proposed terms',
  proposed_agreed: 'the amount of a proposed settlement',
  due: 'the day by which late work was due',
  to_do: 'to the freelancer: what to do so that a payout can be sent',
  link: 'to the freelancer: the page of the offer',
  net: 'to the freelancer: the amount less the fee',
  fee: 'to the freelancer: the fee, if there is one',
  answer_by: 'to the freelancer: when the offer expires',
  proposed_net: 'to the freelancer: the amount less the fee with the proposed terms',
} as const;

/** A value that templates may show. */
export type SlotName = keyof typeof slotNames;

/** The words of every message. */
export const templates: Readonly<Record<MailKind, Words>> = { ...toFreelancer, ...toPartner };
