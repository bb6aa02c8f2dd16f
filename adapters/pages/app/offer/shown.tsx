import type { FreelancerEvent } from 'dealwright';
import { day, moment, money } from '../base/format.js';
import { host } from '../base/host.js';
import { hostName } from '../base/shell.js';
import { isOpen, livingStages, type Offer, stuckPayouts, worthOf } from './offer.js';
import { words } from './words.js';

/** The name of a side, as the beginning of a line. */
export function nameOf({ actor }: Pick<FreelancerEvent, 'actor'>, offer: Offer): string {
  const { who } = words();
  if (actor === 'partner') return offer.partner_name ?? who.partner;
  return actor === 'operator' && host.name !== '' ? host.name : who[actor];
}

/** Each stage with what it is worth and its time; of a single one, its time. */
export function stageFacts(offer: Offer): readonly (readonly [string, string])[] {
  const { days } = words();
  const stages = livingStages(offer);
  const [first] = stages;
  if (stages.length > 1) {
    return stages.map((stage) => {
      const time = stage.work_days === null ? '' : `, ${days}: ${stage.work_days}`;
      return [stage.name, money(worthOf(stage), offer.currency) + time];
    });
  }
  return first === undefined || first.work_days === null ? [] : [[days, String(first.work_days)]];
}

/** What happens next, in one sentence. */
export function nextStep(offer: Offer): string {
  const { next } = words();
  const { status, proposal, expires_at } = offer;
  const isOver = ['completed', 'cancelled', 'expired'].includes(status);
  if (stuckPayouts(offer).length > 0) return next.stuck(hostName());
  if (proposal !== null && !isOver) {
    const until = moment(proposal.expires_at);
    if (proposal.by !== 'partner') return next.ownProposal(until);
    return proposal.kind === 'settlement' ? next.theirAgreement(until) : next.theirProposal(until);
  }
  const stages = livingStages(offer);
  switch (status) {
    case 'created':
      return expires_at === null ? next.created : next.createdUntil(moment(expires_at));
    case 'accepted': {
      const due = stages
        .filter(isOpen)
        .flatMap(({ due_on }) => due_on ?? [])
        .sort()[0];
      if (due === undefined) return next.accepted;
      const isLate = due < new Date().toISOString().slice(0, 10);
      return isLate ? next.late(day(due)) : next.acceptedUntil(day(due));
    }
    case 'changes_requested':
      return next.changes;
    case 'delivered': {
      const ends = stages
        .flatMap(({ review_ends_at }) => review_ends_at ?? [])
        .sort()
        .at(-1);
      return ends === undefined ? next.delivered : next.deliveredUntil(moment(ends));
    }
    case 'approved':
    // a payout that came back is sent again
    case 'completed': {
      const payouts = offer.contractor_payments.map((each) => each.status);
      if (payouts.includes('processing')) return next.processing;
      return payouts.includes('scheduled') ? next.scheduled : next[status];
    }
    case 'disputed':
      return next.disputed(hostName());
    case 'cancelled':
    case 'expired':
      return next[status];
    default:
      return next.other;
  }
}
