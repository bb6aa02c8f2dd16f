import type { DealDetails, DomainEvent } from 'dealwright';
import { day, moment, money } from '../base/format.js';
import { host } from '../base/host.js';
import { hostName } from '../base/shell.js';
import { isOpen, livingStages } from '../base/terms.js';
import { words } from './words.js';

/** Who has done something, as the beginning of a line. */
export const actorOf = (actor: DomainEvent['actor']): string =>
  actor === 'operator' && host.name !== '' ? host.name : words().who[actor];

/** What happens next, in one sentence. */
export function nextStep(deal: DealDetails): string {
  const { next } = words();
  const { status, proposal, expires_at, freelancer_status, billing, currency, legal } = deal;
  const isOver = ['completed', 'cancelled', 'expired'].includes(status);
  if (proposal !== null && !isOver) {
    const until = moment(proposal.expires_at);
    return proposal.by === 'partner' ? next.ownProposal(until) : next.theirProposal(until);
  }
  const isAsked = billing.employer_payments.some(({ status: each }) => each === 'requested');
  const isDue = isAsked || (status === 'approved' && legal.includes('request-payment'));
  const outstanding = billing.outstanding === '0.00' ? undefined : billing.outstanding;
  if (isDue && outstanding !== undefined && status !== 'disputed') {
    return next.pay(money(outstanding, currency));
  }
  const stages = livingStages(deal);
  const ends = stages
    .flatMap(({ review_ends_at }) => review_ends_at ?? [])
    .sort()
    .at(-1);
  switch (status) {
    case 'created':
      if (freelancer_status === 'new') return next.created;
      return expires_at === null ? next.invited : next.invitedUntil(moment(expires_at));
    case 'accepted':
    case 'changes_requested': {
      if (ends !== undefined) return next.deliveredUntil(moment(ends));
      const [due] = stages
        .filter(isOpen)
        .flatMap(({ due_on }) => due_on ?? [])
        .sort();
      if (due === undefined) return next.working;
      const isLate = due < new Date().toISOString().slice(0, 10);
      return isLate ? next.late(day(due)) : next.workingUntil(day(due));
    }
    case 'delivered':
      return ends === undefined ? next.delivered : next.deliveredUntil(moment(ends));
    case 'disputed':
      return next.disputed(hostName());
    default:
      return next[status];
  }
}
