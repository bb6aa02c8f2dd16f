import type { DealDetails, DomainEvent } from 'dealwright';
import { least } from '../base/amounts.js';
import { isOver } from '../base/deal-view.js';
import { day, moment, money } from '../base/format.js';
import { host } from '../base/host.js';
import { hostName } from '../base/shell.js';
import {
  amountOfRequests,
  firstDue,
  isOpen,
  isPast,
  livingStages,
  notAskedFor,
} from '../base/terms.js';
import { words } from './words.js';

/** Who has done something, as the beginning of a line. */
export const actorOf = (actor: DomainEvent['actor']): string =>
  actor === 'operator' && host.name !== '' ? host.name : words().who[actor];

/** What happens next, in one sentence. */
export function nextStep(deal: DealDetails): string {
  const { next, nextStep: shared } = words();
  const { status, proposal, expires_at, freelancer_status, billing, currency, legal } = deal;
  if (proposal !== null && !isOver(status)) {
    const until = moment(proposal.expires_at);
    return proposal.by === 'partner'
      ? next.ownProposal(until)
      : `${next.theirProposal} ${shared.answerUntil(until)}`;
  }
  const asked = least(amountOfRequests(deal, 'requested'), billing.outstanding);
  // until all is approved, only a part of it may be due
  const isDue = ['approved', 'completed'].includes(status) && legal.includes('request-payment');
  const due = asked === '0.00' && isDue ? notAskedFor(deal) : asked;
  if (due !== '0.00' && status !== 'disputed') return next.pay(money(due, currency));
  const stages = livingStages(deal);
  // of several, the first counts: after it, work is paid for
  const [ends] = stages.flatMap(({ review_ends_at }) => review_ends_at ?? []).sort();
  const review = ends && `${next.delivered} ${shared.countsOn(moment(ends))}`;
  switch (status) {
    case 'created':
      if (freelancer_status === 'new') {
        return host.offer && deal.payment_token !== null ? next.created : next.withoutLink;
      }
      return expires_at === null ? next.invited : next.invitedUntil(moment(expires_at));
    case 'accepted':
    case 'changes_requested': {
      if (review !== undefined) return review;
      const due = firstDue(stages);
      if (due === undefined) return next.working;
      if (!isPast(due)) return next.workingUntil(day(due));
      return stages.every(isOpen) ? next.late(day(due)) : next.lateInPart(day(due));
    }
    case 'delivered':
      return review ?? next.delivered;
    case 'disputed':
      return shared.disputed(hostName());
    case 'completed':
      return shared.completed;
    default:
      return next[status];
  }
}
