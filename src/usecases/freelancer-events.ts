import type { FreelancerEvent } from '../api/answers.js';
import type { Row } from '../domain/records/records.js';

/** The event fields that a freelancer may see: no money of the employer, no partner. */
const shown: readonly string[] = [
  'status',
  'freelancer_status',
  'stage_ids',
  'reason',
  'message',
  'agreed_amount',
  'terms_version',
  'proposal_id',
  'kind',
  'by',
  'terms_sha256',
  'stage_id',
  'work_file_id',
  'name',
  'size',
  'sha256',
  'content_type',
];
const shownOfPayment: readonly string[] = [...shown, 'payment_id', 'amount', 'currency'];

/** An event as the freelancer of its deal sees it; none if it is the employer's business. */
export function freelancerEvent({
  id,
  type,
  at,
  actor,
  data,
}: Row<'event'>): readonly FreelancerEvent[] {
  if (type.startsWith('employer_payment.') || type === 'deal.written_off') return [];
  const names = type.startsWith('contractor_payment.') ? shownOfPayment : shown;
  // the view of the offer has the terms of a new deal, less the fee
  const members = type === 'deal.created' ? [] : Object.entries(data);
  return [
    {
      id,
      type: type as FreelancerEvent['type'],
      at,
      actor,
      data: Object.fromEntries(members.filter(([name]) => names.includes(name))),
    },
  ];
}
