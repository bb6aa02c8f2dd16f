import type { Language } from 'dealwright';
import {
  accountReasons,
  amountOf,
  type DealEvent,
  type Facts,
  kinds,
  type MailKind,
} from './kinds.js';
import type { MailMessage, Slots } from './message.js';
import type { KnownOptions } from './options.js';
import { render } from './render.js';
import type { SlotName } from './templates.js';
import { sides, toDo } from './words.js';

/** Where a message goes. */
export interface Receiver {
  readonly address: string;
  readonly language: Language;
}

/** Makes the message that tells a side of an event. */
export function compose(
  kind: MailKind,
  facts: Facts,
  { address, language }: Receiver,
  options: KnownOptions,
): MailMessage {
  const { event } = facts;
  const { from, domain, templates, signature } = options;
  const slots = slotsOf(facts, language, options);
  const to = kinds[kind].to;
  const { environment, partner } = event;
  const template = templates[kind][language];
  const sandbox = environment === 'sandbox' ? '[Sandbox] ' : '';
  const subject = `${sandbox}${template.subject}`;
  const unsubscribe = options.unsubscribeUrl({ address, side: to, environment, partner });
  return {
    from,
    to: address,
    ...render({ ...template, subject }, signature[language], slots, language),
    messageId: `<${event.id}.${kind === 'undelivered' ? kind : to}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': language,
      ...(unsubscribe !== undefined && { 'List-Unsubscribe': `<${inHeader(unsubscribe)}>` }),
    },
  };
}

/** The URL, if it is of web or mail and can stand in a header. */
function inHeader(url: string): string {
  if (!/^(https?|mailto):[\x21-\x7e]+$/.test(url) || /[<>]/.test(url)) {
    throw new Error('unsubscribeUrl did not return a URL of https, http or mailto');
  }
  return url;
}

function slotsOf(facts: Facts, language: Language, options: KnownOptions): Slots {
  const { event, details, view } = facts;
  const { data, environment, partner } = event;
  const { proposal, currency } = details;
  const money = (amount: string | undefined) => amount && moneyText(amount, currency, language);
  const time = (at: string | null | undefined) => at && timeText(at, language, options.timeZone);
  const own = details.stages.filter(({ id }) => data.stage_ids?.includes(id));
  const { expires_at, partner_name } = details;
  const [review_ends] = own.flatMap(({ review_ends_at }) => review_ends_at ?? []).sort();
  const agreed = proposal?.terms.agreed_amount;
  const [due] = own.flatMap(({ due_on }) => due_on ?? []).sort();
  const isOfPayment = data.payment_id !== undefined;
  const slots: Record<SlotName, string | null | undefined> = {
    host: options.hostName,
    title: details.title,
    deal: details.partner_id,
    client: partner_name ?? client[language],
    address: details.email_freelancer,
    amount: money(details.amount),
    stages: details.stages.length > 1 ? own.map(({ name }) => name).join(', ') : undefined,
    agreed: money(data.agreed_amount),
    payment: isOfPayment ? money(movedOf(facts)) : undefined,
    payment_id: data.payment_id,
    bonus: event.type === 'deal.bonus_added' ? money(own[0]?.budget) : undefined,
    by: authorOf(event, partner_name, language, options),
    // that of a payment is a code
    reason: isOfPayment ? undefined : data.reason,
    message: data.message,
    proposal_ends: time(proposal?.expires_at),
    review_ends: time(review_ends),
    proposed: agreed === undefined ? money(proposal?.terms.amount) : undefined,
    proposed_agreed: money(agreed),
    due: due && dayText(due, language),
    to_do: isOfPayment ? toDoFor(event, language, options) : undefined,
    // whoever has the link acts as the freelancer
    link:
      view &&
      details.payment_token &&
      options.offerUrl(details.payment_token, { environment, partner }),
    net: money(view?.amount),
    fee: view?.contractor_fee === '0.00' ? undefined : money(view?.contractor_fee),
    answer_by: time(expires_at),
    proposed_net: money(view?.proposal?.net),
  };
  const known = Object.entries(slots).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return Object.fromEntries(known) as Slots;
}

/** Who has said something about an event; the clock and the provider say nothing. */
function authorOf(
  { actor }: DealEvent,
  partner_name: string | null,
  language: Language,
  { hostName }: KnownOptions,
): string | undefined {
  const { partner, freelancer } = sides[language];
  if (actor === 'partner') return partner_name ?? partner;
  if (actor === 'freelancer') return freelancer;
  return actor === 'operator' ? hostName : undefined;
}

/** What the freelancer has to do about a payout. */
function toDoFor({ data }: DealEvent, language: Language, { hostName }: KnownOptions): string {
  const words = toDo[language](hostName);
  const why = data.waits_for ?? data.reason;
  return words[accountReasons.find((each) => each === why) ?? 'other'];
}

/**
 * The amount of a payment's event. What went back by an event from before 10.7 is known only if it
 * is all that went back.
 */
function movedOf({ event, details: { billing } }: Facts): string | undefined {
  const amount = amountOf(event);
  const [, what] = event.type.split('.');
  if (event.data.payment_status !== undefined) return amount;
  const all: Readonly<Record<string, string>> = {
    refunded: billing.refunded,
    partially_refunded: billing.refunded,
    charged_back: billing.charged_back,
  };
  return (all[what ?? ''] ?? amount) === amount ? amount : undefined;
}

/** The partner in a message, if the host has no name for it. */
const client: Readonly<Record<Language, string>> = { en: 'A client', pl: 'Zleceniodawca' };

/** A format that takes exact decimals; older types know only numbers. */
interface DecimalFormat {
  format(amount: number | bigint | string): string;
}

/** Money in words: `500,00 zł`. Any three characters can be a currency of a deal. */
function moneyText(amount: string, currency: string, language: Language): string {
  const isCode = /^[A-Z]{3}$/.test(currency);
  const money: DecimalFormat = new Intl.NumberFormat(language, {
    ...(isCode && { style: 'currency', currency }),
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return isCode ? money.format(amount) : `${money.format(amount)} ${currency}`;
}

/** A day in words. */
const dayText = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/** A time in words, with its time zone. */
function timeText(at: string, language: Language, timeZone: string): string {
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone });
  const time = new Intl.DateTimeFormat(language, {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone },
  });
  const moment = new Date(at);
  return `${date.format(moment)}, ${time.format(moment)} (${timeZone})`;
}
