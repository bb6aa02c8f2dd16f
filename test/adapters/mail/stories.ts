import type { MailKind } from 'dealwright/mail';
import { agreement, change, type dealIn, done, id, type Plot, words } from './deal.js';

const { message } = words;

type Deal = Awaited<ReturnType<typeof dealIn>>;

interface Story extends Plot {
  /** What leads to the message. */
  readonly leads: (deal: Deal) => unknown;
  /** What makes it untrue before it is sent, unless it always stays true. */
  readonly ends?: (deal: Deal) => unknown;
  /** The amount that it names, in decimals. */
  readonly names?: string;
}

/** The kinds that a story leads to: the other one tells of a refusal. */
export type Told = Exclude<MailKind, 'undelivered'>;

/** The real commands and reports that lead to each message. */
export const stories: Readonly<Record<Told, Story>> = {
  offered: {
    leads: () => undefined,
    ends: ({ partner }) => done(partner.cancel(id)),
    names: '475.89',
  },
  termsProposed: {
    async leads({ accept, propose }) {
      await accept();
      await propose('partner');
    },
    async ends({ details, freelancer }) {
      await done(freelancer.rejectProposal((await details()).proposal?.id ?? ''));
    },
    names: '675.89',
  },
  termsChanged: {
    leads: ({ propose }) => propose('partner'),
    ends: ({ partner }) => done(partner.cancel(id)),
    names: '675.89',
  },
  termsAccepted: {
    leads: ({ answer }) => answer('freelancer', 'accept'),
    ends: ({ answer }) => answer('partner', 'accept', change('600.00')),
    names: '675.89',
  },
  termsRejected: {
    leads: ({ answer }) => answer('freelancer', 'reject'),
    ends: ({ cancel }) => cancel(),
  },
  termsExpired: {
    async leads({ accept, propose, waitDays }) {
      await accept();
      await propose('freelancer');
      await waitDays(14);
    },
    ends: ({ cancel }) => cancel(),
  },
  settled: {
    async leads({ accept, answer }) {
      await accept();
      await answer('freelancer', 'accept', agreement('120.00'));
    },
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('100.00');
    },
    names: '120.00',
  },
  bonusAdded: {
    async leads({ accept, partner }) {
      await accept();
      await done(partner.addBonus(id, { amount: '50.00', message }));
    },
    ends: ({ cancel }) => cancel(),
    names: '50.00',
  },
  expiresSoon: {
    leads: ({ waitDays }) => waitDays(29),
    ends: ({ accept }) => accept(),
  },
  offerExpired: { leads: ({ waitDays }) => waitDays(30) },
  changesRequested: {
    async leads({ deliver, partner }) {
      await deliver();
      await done(partner.requestChanges(id, words));
    },
    ends: ({ dispute }) => dispute(),
  },
  overdue: {
    async leads({ accept, waitDays }) {
      await accept();
      await waitDays(30);
    },
    ends: ({ deliver }) => deliver(),
  },
  approved: {
    leads: ({ approve }) => approve(),
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('0.00');
    },
  },
  paidOut: {
    leads: ({ payOut }) => payOut(),
    ends: ({ report }) => report('returned'),
    names: '475.89',
  },
  payoutWaits: {
    environment: 'sandbox',
    amount: '500.08',
    async leads({ approve, move }) {
      await approve();
      await move();
    },
    async ends({ waitDays, move }) {
      await waitDays(1);
      await move();
    },
    names: '475.97',
  },
  payoutReturned: {
    async leads({ payOut, report }) {
      await payOut();
      await report('returned');
    },
    ends: ({ operator }) => done(operator.retryPayout(id)),
    names: '475.89',
  },
  payoutCancelled: {
    async leads({ approve, pay, tell }) {
      await approve();
      await pay();
      await tell('charged_back');
    },
    async ends({ partner, pay }) {
      await done(partner.requestPayment(id));
      await pay();
    },
    names: '475.89',
  },
  disputed: {
    async leads({ deliver, dispute }) {
      await deliver();
      await dispute();
    },
    ends: ({ resolve }) => resolve('100.00'),
  },
  disputeResolved: {
    async leads({ deliver, dispute, resolve }) {
      await deliver();
      await dispute();
      await resolve('100.00');
    },
    ends: ({ dispute }) => dispute(),
    names: '100.00',
  },
  cancelled: {
    async leads({ accept, partner }) {
      await accept();
      await done(partner.cancel(id, words));
    },
  },
  accepted: {
    leads: ({ accept }) => accept(),
    ends: ({ partner }) => done(partner.cancel(id)),
  },
  declined: { leads: ({ freelancer }) => done(freelancer.decline(words)) },
  dealExpired: { leads: ({ waitDays }) => waitDays(30) },
  delivered: {
    leads: ({ deliver }) => deliver(),
    ends: ({ dispute }) => dispute(),
  },
  reviewEndsSoon: {
    async leads({ deliver, waitDays }) {
      await deliver();
      await waitDays(6);
    },
    ends: ({ dispute }) => dispute(),
  },
  proposed: {
    async leads({ accept, propose }) {
      await accept();
      await propose('freelancer');
    },
    async ends({ details, freelancer }) {
      await done(freelancer.withdrawProposal((await details()).proposal?.id ?? ''));
    },
    names: '700.00',
  },
  proposalAccepted: {
    async leads({ accept, answer }) {
      await accept();
      await answer('partner', 'accept');
    },
    ends: ({ answer }) => answer('freelancer', 'accept', change('600.00')),
    names: '700.00',
  },
  proposalRejected: {
    async leads({ accept, answer }) {
      await accept();
      await answer('partner', 'reject');
    },
    ends: ({ freelancer }) => done(freelancer.decline()),
  },
  proposalExpired: {
    async leads({ accept, propose, waitDays }) {
      await accept();
      await propose('partner');
      await waitDays(14);
    },
    ends: ({ freelancer }) => done(freelancer.decline()),
  },
  settlementAccepted: {
    async leads({ accept, answer }) {
      await accept();
      await answer('partner', 'accept', agreement('120.00'));
    },
    async ends({ dispute, resolve }) {
      await dispute();
      await resolve('100.00');
    },
    names: '120.00',
  },
  disputeOpened: {
    async leads({ deliver, freelancer }) {
      await deliver();
      await done(freelancer.dispute(words));
    },
    ends: ({ resolve }) => resolve('100.00'),
  },
  disputeDecided: {
    async leads({ deliver, dispute, resolve }) {
      await deliver();
      await dispute();
      await resolve('100.00');
    },
    ends: ({ dispute }) => dispute(),
    names: '100.00',
  },
  dealCancelled: {
    async leads({ accept, cancel }) {
      await accept();
      await cancel();
    },
  },
  paymentRequested: {
    leads: ({ approve }) => approve(),
    ends: ({ pay }) => pay(),
    names: '513.37',
  },
  paymentReceived: {
    async leads({ approve, pay }) {
      await approve();
      await pay();
    },
    ends: ({ tell }) => tell('charged_back'),
    names: '513.37',
  },
  paymentFailed: {
    environment: 'sandbox',
    amount: '500.01',
    async leads({ approve, move }) {
      await approve();
      await move();
    },
    ends: ({ partner }) => done(partner.requestPayment(id)),
    names: '513.38',
  },
  paymentExpired: {
    async leads({ approve, waitDays }) {
      await approve();
      await waitDays(14);
    },
    async ends({ operator }) {
      const report = { status: 'paid', amount: '513.37', reference: 'by-hand' } as const;
      await done(operator.recordEmployerPayment(id, report));
    },
    names: '513.37',
  },
  chargedBack: {
    environment: 'sandbox',
    amount: '500.03',
    async leads({ approve, move }) {
      await approve();
      await move();
    },
    names: '513.40',
  },
  chargeBackReversed: {
    async leads({ approve, pay, tell }) {
      await approve();
      await pay();
      await tell('charged_back', { reference: 'b' });
      await tell('charge_back_reversed', { reference: 'b' });
    },
    names: '513.37',
  },
  refunded: {
    async leads({ approve, pay, cancel, tell }) {
      await approve();
      await pay();
      await cancel();
      await tell('refunded', { reference: 'back' });
    },
    ends: ({ tell }) => tell('refund_failed', { reference: 'back' }),
    names: '513.37',
  },
};
