import type { Environment, LocalMarketplace } from 'dealwright';
import { createRelay, type EventHandler, type RelayFailure, type Running } from 'dealwright/relay';
import type { ResultAsync } from 'neverthrow';
import { compose, type Receiver } from './compose.js';
import {
  type DealEvent,
  type Facts,
  isForInvited,
  isTrue,
  isUntold,
  kindFor,
  type MailKind,
  mailKinds,
} from './kinds.js';
import type { MailMessage, MailSide, MailTransport } from './message.js';
import { isAddress, type KnownOptions, type MailerOptions, readOptions } from './options.js';
import { isRefusedForGood, refusedIn } from './refusals.js';
import { sampleOf } from './sample.js';

/** The options of a mailer that starts. */
export interface MailerStartOptions {
  /** Default: both; the sandbox only with the option `sandbox` of the mailer. */
  readonly environments?: readonly Environment[];
  /**
   * Called for each attempt to send a message that fails, with the event that it tells of, whether
   * it is given up, and what the mail server has said (`cause`); and if a port fails.
   */
  readonly onFailure?: (failure: RelayFailure) => unknown;
}

/** A message with sample data. */
export interface MailPreview {
  readonly kind: MailKind;
  readonly side: MailSide;
  readonly language: Receiver['language'];
  readonly message: MailMessage;
}

/** Tells people by mail what happens to their deals. */
export interface Mailer {
  /**
   * Sends messages until it is stopped: run it in one process or in many. Each is sent once, and
   * again only if a process is killed between the sending and the record of it, or if the transport
   * fails: ten times in three days, on the schedule of webhooks. A message that a mail server refuses
   * for good is given up at once; if it was to the freelancer, the partner is told.
   */
  start(marketplace: LocalMarketplace, options?: MailerStartOptions): Running;
  /** Every message in both languages, with sample data: nothing is sent. */
  preview(): readonly MailPreview[];
}

/**
 * Makes a mailer. Throws a `TypeError` for invalid options.
 *
 * @example
 * ```ts
 * import type { LocalMarketplace } from 'dealwright';
 * import { createMailer, type MailTransport } from 'dealwright/mail';
 *
 * export function startMail(marketplace: LocalMarketplace, transport: MailTransport) {
 *   const mailer = createMailer({
 *     transport,
 *     from: 'Example Deals <deals@example.com>',
 *     hostName: 'Example Deals',
 *     offerUrl: 'https://deals.example.com/offer/',
 *     since: '2026-12-01T00:00:00Z',
 *   });
 *   return mailer.start(marketplace, { onFailure: console.error });
 * }
 * ```
 */
export function createMailer(given: MailerOptions): Mailer {
  const known = readOptions(given);
  const handOver = handingOver(known.transport);
  return {
    start(marketplace, options = {}) {
      const { environments = both, onFailure } = options;
      const relay = createRelay(marketplace);
      const sides: readonly MailSide[] =
        known.partnerAddress === undefined ? ['freelancer'] : ['freelancer', 'partner'];
      // a position for each side: an address that fails delays no message to the other side
      const running = sides.map((side) =>
        relay.subscribe(teller(marketplace, side, known, handOver), {
          name: `mail:${side}`,
          types: (event) =>
            Date.parse(event.at) >= known.since && kindFor(side, event as DealEvent) !== undefined,
          environments: environments.filter((each) => known.sandbox || each === 'production'),
          timeout: known.timeout,
          oneByOne: true,
          givesUp: isRefusedForGood,
          ...(onFailure !== undefined && { onFailure }),
        }),
      );
      return {
        async stop() {
          await Promise.all(running.map((each) => each.stop()));
        },
      };
    },
    preview: () =>
      mailKinds.flatMap((kind) =>
        (['en', 'pl'] as const).map((language) => {
          const { side, facts, address } = sampleOf(kind, language);
          return {
            kind,
            side,
            language,
            message: compose(kind, facts, { address, language }, known),
          };
        }),
      ),
  };
}

const both: readonly Environment[] = ['production', 'sandbox'];

/** How many of the last messages a process remembers. */
const mostRemembered = 10_000;

/**
 * How many retries wait for an attempt that has not ended: the next one comes half an hour later,
 * and takes it for lost.
 */
const mostWaiting = 2;

/** Hands a message over to the transport, and resolves once the transport has taken it. */
type HandOver = (message: MailMessage) => Promise<void>;

/**
 * Hands each message over once: an event comes again if its message took too long, or if what
 * follows it has failed.
 */
function handingOver(transport: MailTransport): HandOver {
  const attempts = new Map<string, { ended: Promise<void>; waiting: number }>();
  return (message) => {
    const { messageId } = message;
    const before = attempts.get(messageId);
    if (before !== undefined && before.waiting > 0) {
      before.waiting -= 1;
      return before.ended;
    }
    const send = async () => {
      try {
        refusedIn(await transport.sendMail(message));
        attempt.waiting = Number.POSITIVE_INFINITY;
      } catch (cause) {
        // if what follows a refusal fails, the event comes again, and this message is not
        attempt.waiting = isRefusedForGood(cause) ? Number.POSITIVE_INFINITY : 0;
        throw cause;
      }
    };
    const attempt = { waiting: mostWaiting, ended: Promise.resolve().then(send) };
    attempts.set(messageId, attempt);
    const [oldest = ''] = attempts.keys();
    if (attempts.size > mostRemembered) attempts.delete(oldest);
    return attempt.ended;
  };
}

/** Tells one side of an event. */
function teller(
  marketplace: LocalMarketplace,
  side: MailSide,
  options: KnownOptions,
  handOver: HandOver,
): EventHandler {
  return async (of) => {
    const event = of as DealEvent;
    const kind = kindFor(side, event);
    if (kind === undefined) return;
    const facts = await factsOf(marketplace, side, event);
    if (!isTrue(kind, facts)) return;
    if (isForInvited(kind) && !(await wasTold(marketplace, event))) return;
    const receiver = await (side === 'freelancer'
      ? freelancerOf(facts)
      : partnerOf(event, options));
    if (receiver === undefined) return;
    try {
      await handOver(compose(kind, facts, receiver, options));
    } catch (cause) {
      if (side === 'freelancer' && isRefusedForGood(cause)) {
        await tellOfRefusal(facts, cause, options, handOver);
      }
      throw cause;
    }
    // each message to the freelancer has the link, unless the token is not valid
    if (facts.view !== undefined && isUntold(facts)) await invite(marketplace, event);
  };
}

/** Tells the partner that its freelancer was not told, because of the address that it has given. */
async function tellOfRefusal(
  { event, details }: Facts,
  refusal: unknown,
  options: KnownOptions,
  handOver: HandOver,
): Promise<void> {
  try {
    const receiver = await partnerOf(event, options);
    if (receiver === undefined) return;
    await handOver(compose('undelivered', { event, details }, receiver, options));
  } catch (cause) {
    if (isRefusedForGood(cause)) return;
    const failed = 'the freelancer is refused for good, and the partner could not be told of it';
    throw new AggregateError([refusal, cause], failed);
  }
}

/** Reads the deal of an event as its partner sees it, and as its freelancer does. */
async function factsOf(
  marketplace: LocalMarketplace,
  side: MailSide,
  event: DealEvent,
): Promise<Facts> {
  const { environment, partner, data } = event;
  const api = marketplace.partner({ environment, partner });
  const details = await answerOf(api.retrieveDealDetails(data.partner_id));
  if (side === 'partner' || details.payment_token === null) return { event, details };
  const viewed = await marketplace.freelancer(environment, details.payment_token).view();
  if (viewed.isOk()) return { event, details, view: viewed.value };
  // a token may have expired: there is nothing to link to
  if (viewed.error.code === 'unauthorized') return { event, details };
  throw new Error(viewed.error.message, { cause: viewed.error });
}

/** Whether the freelancer knew of a deal before it ended. */
async function wasTold(marketplace: LocalMarketplace, event: DealEvent): Promise<boolean> {
  const { environment, partner, data } = event;
  const api = marketplace.partner({ environment, partner });
  for (let after = '0'; ; ) {
    const page = api.listDealEvents(data.partner_id, { after, page_size: 100 });
    const { results, next } = await answerOf(page);
    // in most deals one of these is the second event
    if (results.some(({ type }) => type === 'deal.invited' || type === 'deal.accepted'))
      return true;
    if (next === after) return false;
    after = next;
  }
}

/** The freelancer of a deal of version 2.0; for that of 1.0 the partner acts. */
function freelancerOf({ details }: Facts): Receiver | undefined {
  const { payment_token, email_freelancer: address, freelancer_language } = details;
  if (payment_token === null) return undefined;
  return { address, language: freelancer_language === 'pl' ? 'pl' : 'en' };
}

async function partnerOf(
  { environment, partner }: DealEvent,
  { partnerAddress }: KnownOptions,
): Promise<Receiver | undefined> {
  const found = await partnerAddress?.({ environment, partner });
  if (found === undefined) return undefined;
  const { address, language = 'en' } = found;
  if (!isAddress(address)) throw new Error('partnerAddress did not return an e-mail address');
  if (language !== 'en' && language !== 'pl') {
    throw new Error('partnerAddress did not return the language en or pl');
  }
  return { address, language };
}

/** Notes in the deal that its freelancer was told; one who has answered already needs no note. */
async function invite(marketplace: LocalMarketplace, event: DealEvent): Promise<void> {
  const { environment, partner, data } = event;
  const invited = await marketplace.operator(environment).partner(partner).invite(data.partner_id);
  if (invited.isErr() && invited.error.code !== 'illegal_transition') {
    throw new Error(invited.error.message, { cause: invited.error });
  }
}

async function answerOf<T>(asked: ResultAsync<T, { readonly message: string }>): Promise<T> {
  const answered = await asked;
  if (answered.isErr()) throw new Error(answered.error.message, { cause: answered.error });
  return answered.value;
}
