import type { FreelancerEvent, FreelancerView } from 'dealwright';
import { isOver } from '../base/deal-view.js';
import { day, moment, money } from '../base/format.js';
import { host } from '../base/host.js';
import { hostName } from '../base/shell.js';
import { firstDue, isPast, livingStages, worthOf } from '../base/terms.js';
import { words } from './words.js';

/** The name of a side, as the beginning of a line. */
export function nameOf({ actor }: Pick<FreelancerEvent, 'actor'>, deal: FreelancerView): string {
  const { who } = words();
  if (actor === 'partner') return deal.partner_name ?? who.partner;
  return actor === 'operator' && host.name !== '' ? host.name : who[actor];
}

/** Each stage with what it is worth and its time; of a single one, its time. */
export function stageFacts(deal: FreelancerView): readonly (readonly [string, string])[] {
  const { days } = words();
  const stages = livingStages(deal);
  const [first] = stages;
  if (stages.length > 1) {
    return stages.map((stage) => {
      const time = stage.work_days === null ? '' : `, ${days}: ${stage.work_days}`;
      return [stage.name, money(worthOf(stage), deal.currency) + time];
    });
  }
  return first === undefined || first.work_days === null ? [] : [[days, String(first.work_days)]];
}

/** What happens next, in one sentence. */
export function nextStep(deal: FreelancerView): string {
  const { next, nextStep: shared } = words();
  const { status, proposal, expires_at } = deal;
  const payouts = deal.contractor_payments.map((each) => each.status);
  // somebody has to see to it
  if (payouts.includes('failed') || payouts.includes('returned')) return next.stuck(hostName());
  if (proposal !== null && !isOver(status)) {
    const until = moment(proposal.expires_at);
    if (proposal.by !== 'partner') return next.ownProposal(until);
    const theirs = proposal.kind === 'settlement' ? next.theirAgreement : next.theirProposal;
    return `${theirs} ${shared.answerUntil(until)}`;
  }
  const stages = livingStages(deal);
  switch (status) {
    case 'created':
      if (expires_at === null) return next.created;
      return `${next.created} ${shared.answerUntil(moment(expires_at))}`;
    case 'accepted': {
      const due = firstDue(stages);
      if (due === undefined) return next.accepted;
      return isPast(due) ? next.late(day(due)) : next.acceptedUntil(day(due));
    }
    case 'changes_requested':
      return next.changes;
    case 'delivered': {
      const ends = stages
        .flatMap(({ review_ends_at }) => review_ends_at ?? [])
        .sort()
        .at(-1);
      return ends === undefined
        ? next.delivered
        : `${next.delivered} ${shared.countsOn(moment(ends))}`;
    }
    case 'approved':
    // a payout that came back is sent again
    case 'completed':
      if (payouts.includes('processing')) return next.processing;
      return payouts.includes('scheduled') ? next.scheduled : { ...shared, ...next }[status];
    case 'disputed':
      return shared.disputed(hostName());
    case 'cancelled':
    case 'expired':
      return next[status];
    default:
      return next.other;
  }
}
