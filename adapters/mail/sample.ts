import type { Actor, DealDetails, FreelancerProposal, FreelancerView, Language } from 'dealwright';
import { type DealEvent, type Facts, kinds, type MailKind } from './kinds.js';
import type { MailSide } from './message.js';

/** What a message of this kind tells of, in an example. */
export function sampleOf(
  kind: MailKind,
  language: Language,
): { readonly side: MailSide; readonly facts: Facts; readonly address: string } {
  const { to, of } = kinds[kind];
  const { view, ...details } = dealIn(language);
  const type = of[0] ?? 'deal.created';
  const event: DealEvent = {
    id: '01KDVHF0800000000000000006',
    type,
    environment: 'production',
    partner: 'acme',
    at,
    actor: actorOf(type, to === 'partner' ? 'freelancer' : 'partner'),
    data: {
      partner_id: details.partner_id,
      stage_ids: [4],
      ...(withReason.includes(kind) && { reason: words[language].reason }),
      message: words[language].message,
      agreed_amount: '300.00',
      proposal_id: proposalId,
      ...(type.includes('payment.') && ofPayment),
      ...(type.endsWith('.waiting') && { waits_for: 'payee_missing' }),
    },
  };
  const shown = to === 'freelancer' ? { event, details, view } : { event, details };
  return { side: to, facts: shown, address: `${to}@example.com` };
}

const ofPayment = {
  payment_id: '01KDVHF0800000000000000008',
  ...{ amount: '475.00', payment_status: 'paid' },
} as const;

/** Who has caused an event of a sample: the other side, unless neither of them can. */
function actorOf(type: string, other: Actor): Actor {
  if (type.includes('payment.')) return 'payments';
  if (/expire|overdue|soon/.test(type)) return 'clock';
  const isOfHost =
    type === 'deal.dispute_resolved' || (type === 'deal.cancelled' && other === 'freelancer');
  return isOfHost ? 'operator' : other;
}

const at = '2026-12-01T09:00:00.000Z';
const proposalId = '01KDVHF0800000000000000007';

const withReason: readonly MailKind[] = [
  ...(['changesRequested', 'disputed', 'disputeResolved', 'cancelled', 'declined'] as const),
  ...(['disputeOpened', 'disputeDecided', 'dealCancelled'] as const),
];

const words = {
  en: {
    title: 'Landing page',
    stage: 'Texts',
    other: 'Pictures',
    reason: 'The title is missing.\nThe second page is in English.',
    message: 'Please write to me if anything is unclear.',
  },
  pl: {
    title: 'Strona główna',
    stage: 'Teksty',
    other: 'Zdjęcia',
    reason: 'Brakuje tytułu.\nDruga strona jest po angielsku.',
    message: 'W razie pytań proszę o wiadomość.',
  },
} as const;

function dealIn(language: Language): DealDetails & { readonly view: FreelancerView } {
  const { title, stage, other, message } = words[language];
  const stages = [
    { id: 4, name: stage, budget: '500.00', status: 'submitted' },
    { id: 5, name: other, budget: '500.00', status: 'pending' },
  ] as const;
  const shown = stages.map((each) => ({
    ...each,
    ...{
      work_days: 14,
      due_on: '2026-12-15',
      due_at: '2026-12-15T09:00:00.000Z',
      agreed_amount: null,
      work_files: [],
    },
    review_ends_at: '2026-12-08T09:00:00.000Z',
  }));
  const common = {
    title,
    description: title,
    currency: 'PLN',
    copyright_transfer: 'full_transfer',
    status: 'accepted',
    freelancer_status: 'accepted',
    agreed_amount: null,
    created_at: at,
    expires_at: '2026-12-31T09:00:00.000Z',
    partner_name: 'Acme',
    legal: [],
    legal_proposals: [],
    stages: shown,
    terms_version: 1,
    terms_sha256: '0'.repeat(64),
  } as const;
  const terms = {
    ...{ version: 2, title, description: title, amount: '1200.00', currency: 'PLN' },
    ...{ copyright_transfer: 'full_transfer', stages: [] },
  };
  const proposal: FreelancerProposal = {
    ...{ id: proposalId, kind: 'amendment', by: 'partner', status: 'open', changes: {} },
    ...{ terms, terms_sha256: '1'.repeat(64), message, supersedes: null },
    ...{ created_at: at, expires_at: '2026-12-08T09:00:00.000Z', decided_at: null },
    ...{ gross: '1200.00', fee: '60.00', net: '1140.00' },
  };
  const none = '0.00';
  const billing = {
    ...{ currency: 'PLN', amount: '1000.00', employer_fee: none, paid: none, refunded: none },
    ...{ released: none, outstanding: '1000.00', held: none, fees: none, charged_back: none },
    ...{
      total: '1000.00',
      loss: none,
      written_off: none,
      employer_payments: [],
      contractor_payments: [],
    },
  };
  return {
    ...common,
    ...{ api_version: '2.0', partner_id: 'order-1', email_freelancer: 'freelancer@example.com' },
    ...{ subcategory_id: 75, amount: '1000.00', freelancer_language: language },
    payment_token: 'a-sample-of-a-payment-token',
    ...{ billing, attention: [], proposal },
    view: {
      ...{ ...common, amount: '950.00', contractor_fee: '50.00', gross: '1000.00', proposal },
      ...{ freelancer_language: language, max_file_size: 25 * 2 ** 20 },
      contractor_payments: [],
    },
  };
}
