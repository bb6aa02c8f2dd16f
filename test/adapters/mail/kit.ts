import type { DealV2Input, LocalMarketplace, Tenant } from 'dealwright';
import { createDealwright, type DealwrightOptions } from 'dealwright/host';
import { createMailer, type MailerOptions, type MailMessage } from 'dealwright/mail';
import { createManualClock } from 'dealwright/testing';
import { dealV2 } from '../../kit/requests.js';

export const live = { environment: 'production', partner: 'acme' } as const;

/** The options that have no default, but for the transport. */
export const required = {
  from: 'Example Deals <deals@example.com>',
  hostName: 'Example Deals',
  offerUrl: 'https://deals.example.com/offer/',
  since: '2020-01-01T00:00:00Z',
} as const;

export const partnerAddress = () => ({ address: 'office@acme.example' }) as const;

/** A back end whose mail a test reads, in the time of the test. */
export function mailHost(
  options: Partial<MailerOptions> = {},
  more: Pick<DealwrightOptions, 'feePolicy' | 'mode' | 'payments' | 'store'> = {},
) {
  const clock = createManualClock();
  const messages: MailMessage[] = [];
  const failures: unknown[] = [];
  const givenUp: (boolean | undefined)[] = [];
  const transport = { sendMail: async (message: MailMessage) => void messages.push(message) };
  const mailer = createMailer({ ...required, transport, partnerAddress, ...options });
  const { marketplace } = createDealwright({ clock, timer: clock, ...more });
  const start = (of: LocalMarketplace = marketplace) =>
    mailer.start(of, {
      onFailure({ cause, isGivenUp }) {
        failures.push(cause);
        givenUp.push(isGivenUp);
      },
    });
  return {
    ...{ clock, messages, failures, givenUp, marketplace, start },
    partner: marketplace.partner(live),
    /** Creates a deal, and returns its payment token. */
    async create(input: Partial<DealV2Input> = {}, tenant: Tenant = live): Promise<string> {
      const body = { ...dealV2, freelancer_language: 'en', ...input };
      const made = await marketplace.partner(tenant).createDealV2(body);
      return made._unsafeUnwrap().payment_token;
    },
    /** Lets everything happen that needs no time, after the time has moved on by this much. */
    async pass(milliseconds = 0): Promise<void> {
      await settle();
      clock.advance(milliseconds);
      // a relay that finds nothing looks again a second later
      for (let look = 0; look < 4; look += 1) {
        await settle();
        clock.advance(500);
      }
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await new Promise((done) => setImmediate(done));
}
