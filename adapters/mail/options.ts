import type { Language, Tenant } from 'dealwright';
import { checkOptions, onlyNames, parseTimestamp } from 'dealwright/ports';
import { isTimeout, plainUrl } from '../shared/options.js';
import { type MailKind, mailKinds } from './kinds.js';
import type { MailSide, MailTemplate, MailTransport } from './message.js';
import { onOneLine, slotsIn } from './render.js';
import { templates as ours, slotNames } from './templates.js';

/** The address of a partner, and the language in which it is written to; default `en`. */
export interface PartnerAddress {
  readonly address: string;
  readonly language?: Language;
}

/** Who gets a message. */
export interface MailReceiver extends Tenant {
  readonly address: string;
  readonly side: MailSide;
}

/** Words in place of ours: a kind of message, in one language or both. */
export type MailTemplates = Readonly<
  Partial<Record<MailKind, Readonly<Partial<Record<Language, MailTemplate>>>>>
>;

/** The options of `createMailer`. */
export interface MailerOptions {
  /** Sends the messages; a transport of nodemailer is one. */
  readonly transport: MailTransport;
  /** The sender: an address, or `Name <address>`. Its domain is that of every `Message-ID`. */
  readonly from: string;
  /** The name of the host in messages. */
  readonly hostName: string;
  /**
   * The page of an offer: a URL to which `#<payment token>` is added, or a function of the payment
   * token and the partner.
   */
  readonly offerUrl: string | ((paymentToken: string, tenant: Tenant) => string);
  /**
   * Nobody is told of what happened before this moment: when mail was switched on. RFC 3339.
   */
  readonly since: string;
  /** The address of a partner; `undefined` if it gets no mail. Without it no partner does. */
  readonly partnerAddress?: (
    tenant: Tenant,
  ) => PartnerAddress | undefined | Promise<PartnerAddress | undefined>;
  readonly templates?: MailTemplates;
  /** The last paragraphs of each message, with slots; default: the name of the host. */
  readonly signature?: Readonly<Record<Language, readonly string[]>>;
  /** The time zone of times in messages, such as `Europe/Warsaw`; default `UTC`. */
  readonly timeZone?: string;
  /** Whether people are written to about deals of the sandbox; default `false`. */
  readonly sandbox?: boolean;
  /** The URL of the header `List-Unsubscribe`; without it there is no such header. */
  readonly unsubscribeUrl?: (receiver: MailReceiver) => string | undefined;
  /** Milliseconds that a message may take; default 60,000. */
  readonly timeout?: number;
}

/** The options with their defaults. */
export interface KnownOptions extends Required<Omit<MailerOptions, 'since' | 'partnerAddress'>> {
  readonly offerUrl: (paymentToken: string, tenant: Tenant) => string;
  readonly partnerAddress: MailerOptions['partnerAddress'];
  readonly templates: Readonly<Record<MailKind, Readonly<Record<Language, MailTemplate>>>>;
  /** Milliseconds. */
  readonly since: number;
  /** The domain of the sender. */
  readonly domain: string;
}

const languages = ['en', 'pl'] as const;

/** Whether a text is one address: nothing in it ends a header or names a second receiver. */
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[^\s<>@,;:"()[\]\\\p{Cc}]+@[^\s<>@,;:"()[\]\\\p{Cc}]+$/u.test(value);

/** The options with their defaults, or a `TypeError` that says which are wrong. */
export function readOptions(given: MailerOptions): KnownOptions {
  const options = Object(given) as MailerOptions;
  const { transport, from, hostName, offerUrl, since, partnerAddress, templates = {} } = options;
  const { signature = { en: ['{host}'], pl: ['{host}'] }, timeZone = 'UTC' } = options;
  const { sandbox = false, unsubscribeUrl = () => undefined, timeout = 60_000 } = options;
  const [, address = from] = /^[^<>@]*<([^<>]*)>$/.exec(String(from)) ?? [];
  const isWorded =
    areTemplates(templates) && languages.every((each) => areTexts(signature?.[each]));
  const words = isWorded ? wordsOf(templates, signature) : [];
  const unknown = words.flatMap(slotsIn).filter((name) => !Object.hasOwn(slotNames, name));
  checkOptions('createMailer', {
    ...onlyNames('options', given, names),
    'transport has sendMail': typeof transport?.sendMail === 'function',
    'from is an address, or a name and an address in < >':
      isAddress(address) && onOneLine(from) === from,
    'hostName is a text': typeof hostName === 'string' && hostName.trim() !== '',
    'offerUrl is an absolute URL of http or https without a fragment, or a function':
      typeof offerUrl === 'function' || plainUrl(offerUrl)?.hash === '',
    'since is a time of RFC 3339': typeof since === 'string' && parseTimestamp(since) !== undefined,
    'partnerAddress is a function':
      partnerAddress === undefined || typeof partnerAddress === 'function',
    'templates has a subject and paragraphs for languages of kinds, signature paragraphs for each':
      isWorded,
    [`templates and signature have no slots but ${Object.keys(slotNames).join(', ')}`]:
      unknown.length === 0,
    'timeZone is one that Intl knows': isTimeZone(timeZone),
    'sandbox is a boolean': typeof sandbox === 'boolean',
    'unsubscribeUrl is a function': typeof unsubscribeUrl === 'function',
    'timeout is a number of milliseconds': isTimeout(timeout),
  });
  const urlOf =
    typeof offerUrl === 'function' ? offerUrl : (token: string) => `${offerUrl}#${token}`;
  return {
    ...{ transport, from, hostName, partnerAddress, timeZone, sandbox, unsubscribeUrl, timeout },
    signature,
    since: parseTimestamp(since) ?? 0,
    domain: address.slice(address.indexOf('@') + 1),
    offerUrl(...given) {
      const url = plainUrl(urlOf(...given));
      if (url === undefined) throw new Error('offerUrl did not return an absolute URL of http(s)');
      return url.href;
    },
    templates: withOurs(templates),
  };
}

function withOurs(theirs: MailTemplates): KnownOptions['templates'] {
  const all = mailKinds.map((kind) => [kind, { ...ours[kind], ...theirs[kind] }]);
  return Object.fromEntries(all) as KnownOptions['templates'];
}

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/** Whether a value is an object, and each of its members is as it has to be. */
const hasOnly = (value: unknown, isRight: (name: string, member: unknown) => boolean): boolean =>
  Object(value) === value &&
  Object.entries(value as object).every(([name, member]) => isRight(name, member));

function areTemplates(templates: MailTemplates): boolean {
  return hasOnly(
    templates,
    (kind, byLanguage) =>
      Object.hasOwn(ours, kind) &&
      hasOnly(byLanguage, (language, of) => {
        const template = Object(of) as Partial<MailTemplate>;
        return (
          languages.some((each) => each === language) &&
          areTexts([template.subject]) &&
          areTexts(template.paragraphs)
        );
      }),
  );
}

function wordsOf(templates: MailTemplates, signature: KnownOptions['signature']): string[] {
  const theirs = Object.values(templates).flatMap((byLanguage) => Object.values(byLanguage));
  return [
    ...theirs.flatMap(({ subject, paragraphs }) => [subject, ...paragraphs]),
    ...Object.values(signature).flat(),
  ];
}

function isTimeZone(timeZone: unknown): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timeZone as string });
    return typeof timeZone === 'string';
  } catch {
    return false;
  }
}

const names = Object.keys({
  transport: true,
  from: true,
  hostName: true,
  offerUrl: true,
  since: true,
  partnerAddress: true,
  templates: true,
  signature: true,
  timeZone: true,
  sandbox: true,
  unsubscribeUrl: true,
  timeout: true,
} satisfies Readonly<Record<keyof MailerOptions, true>>);
