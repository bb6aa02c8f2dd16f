import { createMemoryStore } from 'dealwright/memory';
import { createSandboxGateway } from 'dealwright/payments';
import type { GatewayRefusal, PaymentGateway } from 'dealwright/ports';
import { exampleContractor } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { mailKinds } from '../../../adapters/mail/kinds.js';
import { templates } from '../../../adapters/mail/templates.js';
import { agreement, append, dealIn, done, fees, id, type Plot } from './deal.js';
import { mailHost } from './kit.js';
import { stories } from './stories.js';

type Deal = Awaited<ReturnType<typeof dealIn>>;
type Host = ReturnType<typeof mailHost>;

/** A host that says the kinds of its messages. */
const hostOf = (more: Parameters<typeof mailHost>[1] = {}) =>
  mailHost(
    {
      sandbox: true,
      templates: Object.fromEntries(
        mailKinds.map((kind) => [kind, { en: { ...templates[kind].en, subject: kind } }]),
      ),
    },
    { feePolicy: () => fees, ...more },
  );

/** Plays a story, with the messages that are still true sent after each step; returns the host. */
async function play(host: Host, plot: Plot, ...steps: readonly ((deal: Deal) => unknown)[]) {
  const deal = await dealIn(host, plot);
  for (const step of [() => undefined, ...steps]) {
    await step(deal);
    const running = host.start();
    await host.pass();
    await running.stop();
  }
  expect(host.failures).toEqual([]);
  return host;
}

/** The kinds of the messages to a side, in the order of sending, but for the offer. */
const kindsTo = ({ messages }: Host, side: 'jan' | 'office') =>
  messages
    .filter(({ to }) => to.startsWith(side))
    .map(({ subject }) => subject.replace('[Sandbox] ', ''))
    .filter((kind) => kind !== 'offered');

describe('one thing is told once', () => {
  it.each<{
    readonly what: string;
    readonly prepaid?: true;
    readonly plot?: Plot;
    readonly steps: readonly ((deal: Deal) => unknown)[];
    readonly jan: readonly string[];
    readonly office: readonly string[];
  }>([
    {
      what: 'a proposal of the freelancer that the partner accepts',
      steps: [
        ({ propose }) => propose('freelancer'),
        async ({ partner, details }) => {
          const { id: proposal_id = '', terms_sha256 = '' } = (await details()).proposal ?? {};
          await done(partner.acceptProposal(id, proposal_id, { terms_sha256 }));
        },
      ],
      jan: ['termsAccepted'],
      office: ['proposed'],
    },
    {
      what: 'an agreement of the partner that the freelancer accepts',
      steps: [
        ({ accept }) => accept(),
        ({ answer }) => answer('partner', 'accept', agreement('120.00')),
      ],
      jan: [],
      office: ['accepted', 'settlementAccepted', 'paymentRequested'],
    },
    {
      what: 'a proposal that another one has replaced',
      steps: [
        ({ accept }) => accept(),
        ({ propose }) => propose('partner'),
        ({ propose }) => propose('freelancer', agreement('120.00')),
      ],
      jan: ['termsProposed'],
      office: ['accepted', 'proposed'],
    },
    {
      what: 'a deal that the operator ends with a request and a payout that are open',
      steps: [
        ({ approve }) => approve(),
        ({ pay }) => pay(),
        ({ partner }) => done(partner.addBonus(id, { amount: '50.00' })),
        ({ cancel }) => cancel(),
      ],
      jan: ['approved', 'bonusAdded', 'cancelled'],
      office: [
        'accepted',
        'paymentRequested',
        'paymentReceived',
        'paymentRequested',
        'dealCancelled',
      ],
    },
    {
      what: 'a dispute that holds a payout, and its end',
      steps: [
        ({ approve }) => approve(),
        ({ pay }) => pay(),
        ({ dispute }) => dispute(),
        ({ resolve }) => resolve('500.00'),
      ],
      jan: ['approved', 'disputed', 'disputeResolved'],
      office: ['accepted', 'paymentRequested', 'paymentReceived', 'disputeDecided'],
    },
    {
      what: 'a dispute with a request that its end replaces',
      steps: [
        ({ approve }) => approve(),
        ({ freelancer }) => done(freelancer.dispute({ reason: 'Its reason' })),
        ({ resolve }) => resolve('100.00'),
      ],
      jan: ['approved', 'disputeResolved'],
      office: [
        'accepted',
        'paymentRequested',
        'disputeOpened',
        'disputeDecided',
        'paymentRequested',
      ],
    },
    {
      what: 'a request that new terms replace',
      prepaid: true,
      steps: [
        ({ accept }) => accept(),
        ({ answer }) =>
          answer('partner', 'accept', {
            ...{ kind: 'amendment', changes: { amount: '300.00' }, message: 'Less' },
          }),
      ],
      jan: [],
      office: ['accepted', 'paymentRequested', 'proposalAccepted', 'paymentRequested'],
    },
    {
      what: 'a deal that its partner ends with an open request',
      prepaid: true,
      steps: [({ accept }) => accept(), ({ partner }) => done(partner.cancel(id))],
      jan: ['cancelled'],
      office: ['accepted', 'paymentRequested'],
    },
    {
      what: 'a charge-back before the payout',
      plot: { environment: 'sandbox', amount: '500.03' },
      steps: [({ approve }) => approve(), ({ move }) => move()],
      jan: ['approved', 'payoutCancelled'],
      office: ['accepted', 'paymentRequested', 'chargedBack'],
    },
    {
      what: 'a charge-back that is won at once',
      plot: { environment: 'sandbox', amount: '500.07' },
      steps: [({ approve }) => approve(), ({ move }) => move()],
      jan: ['approved', 'paidOut'],
      office: ['accepted', 'paymentRequested', 'paymentReceived', 'chargeBackReversed'],
    },
    {
      what: 'a charge-back after the payout',
      steps: [({ payOut }) => payOut(), ({ tell }) => tell('charged_back')],
      jan: ['approved', 'paidOut'],
      office: ['accepted', 'paymentReceived', 'chargedBack'],
    },
    {
      what: 'a payment that fails before a dispute',
      steps: [
        ({ approve }) => approve(),
        async ({ tell, dispute }) => {
          await tell('failed');
          await dispute();
        },
      ],
      jan: ['approved', 'disputed'],
      office: ['accepted', 'paymentRequested'],
    },
    {
      what: 'a payment that fails before the end of a deal that lost another one',
      steps: [
        ({ approve }) => approve(),
        ({ pay }) => pay(),
        ({ partner }) => done(partner.addBonus(id, { amount: '50.00' })),
        ({ report }) => report('paid'),
        async ({ operator, details }) => {
          const [{ id: payment_id } = { id: '' }] = (await details()).billing.employer_payments;
          const report = { payment_id, status: 'charged_back', reference: 'bank' } as const;
          await done(operator.recordEmployerPayment(id, report));
        },
        async ({ tell, cancel }) => {
          await tell('failed');
          await cancel();
        },
      ],
      jan: ['approved', 'bonusAdded', 'paidOut', 'cancelled'],
      office: [
        ...['accepted', 'paymentRequested', 'paymentReceived'],
        ...['paymentRequested', 'chargedBack', 'dealCancelled'],
      ],
    },
    {
      what: 'late work that has got more days',
      steps: [
        ({ accept }) => accept(),
        async ({ waitDays, answer }) => {
          await waitDays(30);
          await answer('partner', 'accept', { kind: 'amendment', changes: { work_days: 60 } });
        },
      ],
      jan: [],
      office: ['accepted', 'proposalAccepted'],
    },
    {
      what: 'a payout that comes back once',
      plot: { environment: 'sandbox', amount: '500.02' },
      steps: [
        ({ approve }) => approve(),
        ({ move }) => move(),
        ({ operator }) => done(operator.retryPayout(id)),
        ({ move }) => move(),
      ],
      jan: ['approved', 'payoutReturned', 'paidOut'],
      office: ['accepted', 'paymentRequested', 'paymentReceived'],
    },
  ])('$what', async ({ prepaid, plot = {}, steps, jan, office }) => {
    const host = await play(hostOf(prepaid ? { mode: 'prepaid' } : {}), plot, ...steps);
    expect(kindsTo(host, 'jan')).toEqual(jan);
    expect(kindsTo(host, 'office')).toEqual(office);
  });

  it('an amendment that adds a stage, and one that is accepted', async () => {
    const stages = [
      { name: 'Texts', budget: '300.00' },
      { name: 'Pictures', budget: '400.00' },
    ];
    const parts = { kind: 'amendment', changes: { stages } } as const;
    const host = await play(
      hostOf(),
      {},
      ({ partner }) => done(partner.propose(id, parts)),
      ({ answer, details }) =>
        details().then((deal) =>
          answer('freelancer', 'accept', {
            kind: 'amendment',
            changes: {
              stages: [
                ...deal.stages.flatMap(({ id: of, status }) =>
                  status === 'cancelled' ? [] : [{ id: of }],
                ),
                { name: 'Video', budget: '9.00' },
              ],
            },
          }),
        ),
    );
    expect(kindsTo(host, 'jan')).toEqual(['termsChanged', 'termsAccepted']);
    expect(host.messages.at(-1)?.text).toMatch(/You now get PLN\s684\.89 in all/);
  });

  it('an offer that nobody knew of expires for its partner alone', async () => {
    const host = hostOf();
    const { waitDays } = await dealIn(host);
    await waitDays(30);
    const running = host.start();
    await host.pass();
    await running.stop();
    expect(host.messages.map(({ subject }) => subject)).toEqual(['dealExpired']);
  });
});

/** The sandbox, but each first call for a payout is refused for this reason. */
function refusing(refused: GatewayRefusal): PaymentGateway {
  const sandbox = createSandboxGateway();
  return {
    ...sandbox,
    execute: (tenant, effect) =>
      effect.kind === 'pay_out' && effect.calls === 0
        ? ok({ refused })
        : sandbox.execute(tenant, effect),
  };
}

describe('a payout', () => {
  const paidFor = [({ approve }: Deal) => approve(), ({ move }: Deal) => move()] as const;
  const plot = { environment: 'sandbox' } as const;

  it.each([
    ['payee_missing', 'It is not known where to pay. Tell Example Deals your account'],
    [
      'payee_disabled',
      'Your account cannot take payouts now. Tell Example Deals the right account',
    ],
    ['closed_account', 'Your account is closed. Tell Example Deals the right account'],
  ] as const)('that waits for %s says what to do', async (reason, words) => {
    const payments = refusing({ reason, retry: 'later' });
    const host = await play(hostOf({ payments }), plot, ...paidFor);
    expect(kindsTo(host, 'jan')).toEqual(['approved', 'payoutWaits']);
    expect(host.messages.find(({ subject }) => subject.endsWith('payoutWaits'))?.text).toContain(
      `\n\n${words}: then it is sent.\n\n`,
    );
  });

  it.each(['balance', 'window', 'other'] as const)(
    'that waits for %s tells nobody: it goes by itself, or staff see to it',
    async (reason) => {
      const payments = refusing({ reason, retry: 'later' });
      const host = await play(hostOf({ payments }), plot, ...paidFor);
      expect(kindsTo(host, 'jan')).toEqual(['approved']);
    },
  );

  it.each([
    [
      'closed_account',
      'Your account is closed. Tell Example Deals the right account: then it is sent.',
    ],
    ['declined', 'Tell Example Deals the right account: then it is sent again.'],
  ] as const)('that fails for %s says what the page says', async (reason, words) => {
    const payments = refusing({ reason, retry: 'never' });
    const host = await play(hostOf({ payments }), plot, ...paidFor);
    expect(kindsTo(host, 'jan')).toEqual(['approved', 'payoutReturned']);
    const { text } = host.messages.at(-1) ?? {};
    expect(text).toContain(`\n\n${words}\n\n`);
    // the reason is a code, and nobody has written it
    expect(text).not.toContain('>');
  });

  it.each(['paidOut', 'payoutWaits', 'payoutReturned', 'payoutCancelled'] as const)(
    'names no account: %s',
    async (kind) => {
      const host = hostOf();
      const { leads, environment = 'production', ...story } = stories[kind];
      const contractor = { ...exampleContractor, email: 'jan@x.example' };
      const tenant = { environment, partner: 'acme' } as const;
      await done(host.marketplace.partner(tenant).registerContractor(contractor));
      await play(host, { environment, ...story }, leads);
      expect(kindsTo(host, 'jan')).toContain(kind);
      for (const { text, html } of host.messages) {
        for (const secret of [
          contractor.bank_account_iban,
          contractor.bank_account_bic,
          contractor.tax_id,
        ]) {
          expect(text + html).not.toContain(secret);
        }
      }
    },
  );
});

describe('money', () => {
  /** A deal whose payment and payout are known to the host, and what its log says of them besides. */
  async function told(type: string, data: Readonly<Record<string, string>>) {
    const store = createMemoryStore();
    const host = hostOf({ store });
    const deal = await dealIn(host);
    await deal.payOut();
    const { billing } = await deal.details();
    const of = type.startsWith('employer')
      ? billing.employer_payments
      : billing.contractor_payments;
    const running = host.start();
    await host.pass();
    host.messages.length = 0;
    await append(store, type, { actor: 'payments', payment_id: of[0]?.id, ...data });
    await host.pass();
    await running.stop();
    expect(host.failures).toEqual([]);
    return host.messages;
  }

  it('that has not moved is not told', async () => {
    const paid = { amount: '0.00', asked: '513.37', payment_status: 'paid' };
    for (const what of ['paid', 'refunded', 'charged_back', 'charge_back_reversed']) {
      expect(await told(`employer_payment.${what}`, paid)).toEqual([]);
    }
    expect(await told('contractor_payment.paid', paid)).toEqual([]);
  });

  it('that came back before it was known to have left is told by what was sent', async () => {
    const host = await play(
      hostOf(),
      {},
      ({ approve }) => approve(),
      ({ pay }) => pay(),
      ({ report }) => report('returned'),
    );
    expect(kindsTo(host, 'jan')).toEqual(['approved', 'payoutReturned']);
    expect(host.messages.at(-1)?.text).toMatch(/The payout of PLN\s475\.89 for/);
  });

  it('that a bank has given back in part is told to the partner, by what has moved', async () => {
    const host = await play(
      hostOf(),
      {},
      ({ payOut }) => payOut(),
      ({ tell }) => tell('charged_back', { reference: 'bank' }),
      ({ tell }) => tell('charge_back_reversed', { amount: '200.00', reference: 'bank' }),
    );
    const heard = ['accepted', 'paymentReceived', 'chargedBack', 'chargeBackReversed'];
    expect(kindsTo(host, 'office')).toEqual(heard);
    expect(host.messages.at(-1)?.text).toMatch(/The amount is PLN\s200\.00\./);
  });

  it('that a bank will give back, and has not taken yet, is not told', async () => {
    const host = await play(
      hostOf(),
      {},
      ({ payOut }) => payOut(),
      ({ tell }) => tell('charge_back_reversed', { amount: '200.00', reference: 'bank' }),
      ({ tell }) => tell('charged_back', { amount: '200.00', reference: 'bank' }),
    );
    expect(kindsTo(host, 'office')).toEqual(['accepted', 'paymentReceived']);
  });

  it('is named by what went back, not by what the payment was worth', async () => {
    const host = await play(
      hostOf(),
      {},
      ({ approve }) => approve(),
      ({ pay }) => pay(),
      ({ cancel }) => cancel(),
      ({ tell }) => tell('refunded', { amount: '100.00' }),
      ({ tell }) => tell('refunded', { amount: '413.37' }),
    );
    const texts = host.messages
      .filter(({ subject }) => subject === 'refunded')
      .map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringMatching(/PLN\s100\.00/),
      expect.stringMatching(/PLN\s413\.37/),
    ]);
  });
});
