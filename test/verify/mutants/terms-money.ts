import { billed, payouts, requests } from './billings.js';
import {
  bodied,
  command,
  details,
  editing,
  erring,
  listOf,
  ofFreelancer,
  offer,
  ofPartner,
  ofSandbox,
  saying,
  swapping,
} from './life-deals.js';
import type { Mutant } from './mutant.js';
import {
  asked,
  deciding,
  keyless,
  mutantsOf,
  ofProposal,
  ofTerms,
  proposing,
  type Row,
  refuses,
  secondTime,
  set,
  staged,
  takes,
} from './terms-changes.js';

const figure = (name: string, sum: string) =>
  billed((billing) => {
    billing[name] = sum;
  });
const amounts = (from: string, to: string) =>
  requests((payment) => {
    if (payment['amount'] === from) payment['amount'] = to;
  });
const status = (from: string, to: string) => swapping(details, 'status', from, to);

const ofMoney: readonly Row[] = [
  ['9.7/money/outstanding', 'what is outstanding stays', figure('outstanding', '100.04')],
  ['9.7/money/amount', 'the amount of the billing stays', figure('amount', '100.04')],
  [
    '9.7/money/not-asked-before',
    'an amendment asks at once',
    billed((billing, { terms_version }) => {
      if (terms_version !== 1) billing['employer_payments'] = [{ id: '1', status: 'requested' }];
    }),
  ],
  [
    '9.7/money/asked-on-approval',
    'the approval asks for the old amount',
    requests((payment) => {
      payment['amount'] = '100.04';
    }),
  ],
  [
    '9.7/money/approved-stays',
    'an amendment ends every request',
    billed((billing, { terms_version }) => {
      if (terms_version !== 3) return;
      for (const each of listOf(billing, 'employer_payments')) each['status'] = 'expired';
    }),
  ],
  [
    '9.7/money/payout-untouched',
    'an amendment cancels payouts',
    billed((billing, { terms_version }) => {
      if (terms_version !== 3) return;
      for (const each of listOf(billing, 'contractor_payments')) each['status'] = 'cancelled';
    }),
  ],
  ['9.7/money/cancelled-not-owed', 'a stage is owed for ever', figure('outstanding', '100.04')],
  ['9.7/money/added-owed', 'a new stage is not asked for', amounts('10.00', '0.04')],
  ['9.7/money/balanced', 'money is held twice', figure('held', '140.00')],
];

const refundless = figure('refunded', '0.00');

const ofPrepaid: readonly Row[] = [
  ['9.7/prepaid/rise-asked', 'the whole is asked for again', amounts('50.00', '150.04')],
  ['9.7/prepaid/rise-unpaid', 'a rise is asked for as a whole', amounts('50.00', '150.04')],
  ['9.7/prepaid/deliver-waits', 'nothing waits for a rise', takes(ofFreelancer('deliver'), 200)],
  ['9.7/prepaid/fall-refunds', 'a fall refunds nothing', refundless],
  ['9.7/prepaid/fall-in-created', 'an offer refunds nothing', refundless],
  ['9.7/prepaid/fall-asks-less', 'old requests stay', asked('expired', 'requested')],
  ['9.7/prepaid/fall-paid-in-part', 'old requests stay', asked('expired', 'requested')],
  ['9.7/prepaid/processing-stays', 'what is paid now expires', asked('processing', 'expired')],
  ['9.7/prepaid/processing-rest', 'what is paid now expires', asked('processing', 'expired')],
  ['9.16/prepaid/processing-beyond', 'what comes too much stays', refundless],
  [
    '9.9/prepaid/bonus-no-delivery',
    'work waits for the bonus',
    refuses(ofFreelancer('deliver'), 200, 'not_paid'),
  ],
  ['9.9/prepaid/bonus-asked', 'a bonus is asked for with the rest', amounts('10.00', '110.04')],
  [
    '9.13/prepaid/not-due-before',
    'work is due before it is paid',
    staged((stage) => (stage['due_on'] ??= '2027-01-01')),
  ],
  [
    '9.13/prepaid/due-from-payment',
    'prepaid work is never due',
    staged((stage) => (stage['due_on'] = null)),
  ],
  [
    '9.16/prepaid/not-due-after-charge-back',
    'work is due after a charge-back',
    staged((stage) => (stage['due_on'] ??= '2027-01-01')),
  ],
];

const resolve = command('resolve');

const ofSettlements: readonly Row[] = [
  ['9.8/settlement/approves', 'a settlement delivers', status('approved', 'delivered')],
  [
    '9.8/settlement/agreed-amount',
    'what was agreed is not shown',
    saying(details, 'agreed_amount', () => null),
  ],
  [
    '9.8/settlement/in-order',
    'a stage is agreed as a whole',
    saying(details, 'agreed_amount', (sum) => (sum === '19.96' ? '40.00' : sum)),
  ],
  [
    '9.8/settlement/nothing',
    'the freelancer has declined',
    swapping(details, 'freelancer_status', 'removed', 'declined'),
  ],
  ['9.8/settlement/asks', 'the whole is asked for', amounts('50.00', '100.04')],
  ['9.8/settlement/asks-anew', 'the old request stays', asked('expired', 'requested')],
  [
    '9.8/settlement/bound',
    'another reason',
    erring(proposing, (error) => Object.assign(error, { reason: 'nothing_changed' })),
  ],
  ['9.8/settlement/bound-after-payout', 'what is paid counts', takes(proposing)],
  [
    '9.8/settlement/as-resolve',
    'a settlement finishes the freelancer',
    editing(details, (data) => {
      if (data['terms_version'] === 3) data['freelancer_status'] = 'finished';
    }),
  ],
  ['9.8/settlement/paid-out', 'a surplus stays', figure('refunded', '0.00')],
  ['9.8/settlement/processing', 'nothing waits for a payout', takes(/\/proposal\//)],
  [
    '9.8/settlement/failed-payout',
    'an old payout stays',
    payouts((payment) => {
      if (payment['status'] === 'cancelled') payment['status'] = 'failed';
    }),
  ],
  [
    '9.16/settlement/amount-stays',
    'the amount is what was agreed',
    set(details, ({ amount, agreed_amount }) => ({ amount: agreed_amount ?? amount })),
  ],
  [
    '9.16/settlement/amount-amended',
    'the amount stays for ever',
    set(details, () => ({ amount: '100.04' })),
  ],
];

const bonus = command('add-bonus');
const withoutMessage = bodied(bonus, ({ message: _, ...body }) => body);

const ofBonuses: readonly Row[] = [
  ['9.9/bonus/legal', 'there is no bonus', refuses(bonus, 200)],
  ['9.9/bonus/illegal', 'there is always a bonus', takes(bonus, 200)],
  ['9.9/bonus/answer', 'the answer is another deal', set(bonus, () => ({ title: 'Another' }))],
  ['9.9/bonus/stage', 'a bonus is work', status('approved', 'pending')],
  ['9.9/bonus/default-name', 'a bonus has no name', saying(details, 'name', () => '')],
  [
    '9.9/bonus/named',
    'names are counted in UTF-16',
    saying(details, 'name', (name) => String(name).slice(0, 200)),
  ],
  ['9.9/bonus/amount', 'a bonus is beside the amount', set(details, () => ({ amount: '100.04' }))],
  ['9.9/bonus/status-stays', 'a bonus approves', set(details, () => ({ status: 'approved' }))],
  ['9.9/bonus/version', 'a bonus is an amendment', saying(ofTerms, 'kind', () => 'amendment')],
  ['9.9/bonus/asked', 'a bonus is asked for with the rest', amounts('10.00', '110.04')],
  ['9.9/bonus/two', 'two are one', secondTime(bonus, () => Response.json({ data: {} }))],
  ['9.9/bonus/key', 'a bonus has no key', keyless(bonus)],
  [
    '9.9/bonus/amount-required',
    'a bonus is one of 1.00',
    bodied(bonus, (body) => ({ amount: '1.00', ...body })),
  ],
  [
    '9.9/bonus/amount-positive',
    'a bonus may be zero',
    bodied(bonus, (body) => (body['amount'] === '0' ? { amount: '1.00' } : body)),
  ],
  ['9.9/bonus/message-length', 'a message may be anything', withoutMessage],
  ['9.9/bonus/token-in-text', 'the token may be told', withoutMessage],
  ['9.9/bonus/out-of-bounds', 'a deal may be worth anything', takes(bonus, 200)],
  [
    '9.9/bonus/no-work',
    'a bonus is delivered work',
    refuses(ofPartner('cancel'), 200, 'work_delivered'),
  ],
  [
    '9.9/bonus/no-work-declined',
    'a bonus keeps the freelancer',
    refuses(ofFreelancer('decline'), 200, 'work_delivered'),
  ],
  ['9.9/bonus/paid-out', 'a bonus is not paid out', figure('released', '100.04')],
  [
    '9.9/bonus/waits',
    'a bonus is paid out at once',
    billed((billing) => {
      billing['contractor_payments'] = [{ id: '1', amount: '10.00', status: 'scheduled' }];
    }),
  ],
  ['9.9/bonus/v1', 'a bonus has days', staged((stage) => (stage['work_days'] = 30))],
  ['9.9/bonus/partner-alone', 'everybody has a path to it', takes(bonus, 409, 404)],
  [
    '9.9/bonus/sandbox',
    'the sandbox has no bonus',
    refuses(ofSandbox('partner', 'add-bonus'), 200),
  ],
  ['9.15/bonus/too-many', 'a deal has any number of stages', takes(bonus, 200)],
  [
    '9.11/bonus/legal-member',
    'legal has no bonus',
    erring(ofPartner('.*'), (error) => {
      const { legal } = error;
      if (Array.isArray(legal)) error['legal'] = legal.filter((each) => each !== 'add-bonus');
    }),
  ],
];

const accept = deciding('accept');

const ofVersion1: readonly Row[] = [
  ['9.2/v1/both-sides', 'the partner is one side', refuses(accept, 200)],
  ['9.2/v1/settlement', 'nobody has to consent', takes(accept, 200)],
  ['9.2/v1/below-paid', 'what is paid does not count', takes(accept, 200)],
  ['9.2/v1/above-paid', 'everything needs consent', refuses(accept, 200, 'consent_needed')],
  ['9.2/v1/submitted', 'submitted work is free to change', takes(accept, 200)],
  ['9.2/v1/changes-requested', 'so is work that was sent back', takes(accept, 200)],
  ['9.2/v1/other-stage', 'everything needs consent', refuses(accept, 200, 'consent_needed')],
  ['9.16/v1/created', 'an offer needs consent', swapping(proposing, 'status', 'accepted', 'open')],
  ['9.16/v1/as-accepted', 'to propose needs consent', refuses(proposing, 201, 'consent_needed')],
  ['9.16/v1/sandbox-consents', 'the sandbox does not consent', refuses(accept, 200)],
  ['9.2/v1/operator-resolves', 'staff cannot resolve it', refuses(resolve, 200)],
  ['9.15/fees/employer', 'the fee is not owed', figure('employer_fee', '1.00')],
  [
    '9.15/fees/contractor',
    'staff see no fee',
    saying(/^GET \/operator\//, 'contractor_fee', () => null),
  ],
  ['9.15/fees/hidden', 'the partner sees the fee', figure('contractor_fee', '0.00')],
  [
    '9.16/fees/offer',
    'the offer shows another fee',
    set(offer, () => ({ contractor_fee: '1.00' })),
  ],
  [
    '9.15/sandbox/amount-of-now',
    'the first amount counts',
    requests((payment) => {
      if (payment['status'] === 'paid') payment['status'] = 'failed';
    }),
  ],
  [
    '6.7/terms/dispute-goes-on',
    'a dispute ends proposals',
    swapping(ofProposal, 'status', 'open', 'superseded'),
  ],
  ['9.15/proposals/too-many', 'there are any number', takes(proposing)],
];

export const mutants: readonly Mutant[] = [
  ...mutantsOf(ofMoney),
  ...mutantsOf(ofPrepaid, { isPrepaid: true }),
  ...mutantsOf(ofSettlements),
  ...mutantsOf(ofBonuses),
  ...mutantsOf(ofVersion1),
];
