import type { Environment, Language } from 'dealwright';
import type { MailKind } from 'dealwright/mail';
import { describe, expect, it } from 'vitest';
import { mailKinds } from '../../../adapters/mail/kinds.js';
import { templates } from '../../../adapters/mail/templates.js';
import { dealIn, done, fees, id } from './deal.js';
import { mailHost } from './kit.js';
import { stories, type Told } from './stories.js';

const toldKinds = mailKinds.filter((kind): kind is Told => Object.hasOwn(stories, kind));

/** A host whose messages have their kinds as subjects, and our words. */
const hostOfKinds = (environment: Environment = 'production', language: Language = 'en') =>
  mailHost(
    {
      sandbox: environment === 'sandbox',
      partnerAddress: () => ({ address: 'office@acme.example', language }),
      templates: Object.fromEntries(
        mailKinds.map((kind) => {
          const { en, pl } = templates[kind];
          return [kind, { en: { ...en, subject: kind }, pl: { ...pl, subject: kind } }];
        }),
      ),
    },
    { feePolicy: () => fees },
  );

const of = (host: ReturnType<typeof mailHost>, kind: MailKind) =>
  host.messages.filter(({ subject }) => subject.replace('[Sandbox] ', '') === kind);

/** Money as it stands in a message. */
const shown = { en: (of: string) => `PLN\u00a0${of}`, pl: (of: string) => of.replace('.', ',') };

describe.each(toldKinds)('%s', (kind) => {
  const { leads, names, ...plot } = stories[kind];

  it.each(['en', 'pl'] as const)(
    'tells the other side once, in its language: %s',
    async (language) => {
      const host = hostOfKinds(plot.environment, language);
      const running = host.start();
      const deal = await dealIn(host, { ...plot, language });
      await leads(deal);
      await host.pass();
      await running.stop();
      expect(host.failures).toEqual([]);
      const own = of(host, kind);
      expect(own).toHaveLength(1);
      const { to = '', text = '', messageId = '', headers = {} } = own[0] ?? {};
      expect(headers['Content-Language']).toBe(language);
      if (names !== undefined) expect(text).toContain(shown[language](names));
      const feed = (await done(deal.partner.listEvents({ page_size: 100 }))).results;
      const event = feed.find((each) => messageId.includes(each.id));
      const side = messageId.includes('.freelancer@') ? 'freelancer' : 'partner';
      expect(to.startsWith(side === 'freelancer' ? 'jan@' : 'office@')).toBe(true);
      if (kind !== 'paymentRequested') expect(event?.actor).not.toBe(side);
      for (const given of ['reason', 'message'] as const) {
        const said: object = event?.data ?? {};
        expect(text.includes(`:\n> Its ${given}\n`), given).toBe(given in said);
      }
      // each side sees its own amounts alone
      const { billing } = await deal.details();
      const view = await done(deal.freelancer.view());
      const ofClient = [billing.total, billing.employer_fee, billing.employer_payments[0]?.amount];
      const ofFreelancer = [view.amount, view.contractor_fee, view.contractor_payments[0]?.amount];
      for (const each of host.messages) {
        const hidden = each.to.startsWith('jan') ? ofClient : ofFreelancer;
        for (const amount of hidden.filter((each) => each !== undefined)) {
          expect(each.text).not.toContain(shown[language](amount));
        }
      }
    },
  );
});

/** The kinds that can become untrue before they are sent. */
const endings = toldKinds.flatMap((kind) => {
  const { ends, ...story } = stories[kind];
  return ends === undefined ? [] : [{ kind, story, ends }];
});

it.each(endings)('$kind: says nothing that is no longer true', async ({ kind, story, ends }) => {
  const { leads, ...plot } = story;
  const host = hostOfKinds(plot.environment);
  const deal = await dealIn(host, plot);
  await leads(deal);
  await ends(deal);
  const running = host.start();
  await host.pass();
  await running.stop();
  expect(host.failures).toEqual([]);
  expect(of(host, kind)).toEqual([]);
});

it('names the amount of a bonus, and the id of a payment', async () => {
  const host = hostOfKinds();
  const running = host.start();
  const { partner, details, approve } = await dealIn(host);
  await approve();
  await done(partner.addBonus(id, { amount: '50.00' }));
  await host.pass();
  await running.stop();
  expect(of(host, 'bonusAdded')[0]?.text).toMatch(/a bonus of PLN\s50\.00 to/);
  const [payment] = (await details()).billing.employer_payments;
  expect(of(host, 'paymentRequested')[0]?.text).toContain(`is ${payment?.id}.\n`);
});
