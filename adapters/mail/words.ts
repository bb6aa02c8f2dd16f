import type { Language } from 'dealwright';
import type { accountReasons } from './kinds.js';
import type { MailTemplate } from './message.js';

/** The words of one kind of message. */
export type Words = Readonly<Record<Language, MailTemplate>>;

export const template = (subject: string, ...paragraphs: readonly string[]): MailTemplate => ({
  subject,
  paragraphs,
});

/** What whoever acted has said, if anything. */
export const message = { en: '{by} writes: {message}', pl: '{by} pisze: {message}' } as const;

/** Why whoever acted did so, and what they have said, if anything. */
export const remarks = {
  en: ['{by} gives this reason: {reason}', message.en],
  pl: ['{by} podaje powód: {reason}', message.pl],
} as const;

/** Who has acted, if it has no name of its own. */
export const sides = {
  en: { partner: 'The client', freelancer: 'The freelancer' },
  pl: { partner: 'Zleceniodawca', freelancer: 'Wykonawca' },
} as const;

/** What the freelancer has to do so that a payout can be sent, by the reason why it was not. */
export const toDo: Readonly<
  Record<
    Language,
    (host: string) => Readonly<Record<(typeof accountReasons)[number] | 'other', string>>
  >
> = {
  en: (host) => ({
    payee_missing: `It is not known where to pay. Tell ${host} your account: then it is sent.`,
    payee_disabled: `Your account cannot take payouts now. Tell ${host} the right account: then it is sent.`,
    closed_account: `Your account is closed. Tell ${host} the right account: then it is sent.`,
    other: `Tell ${host} the right account: then it is sent again.`,
  }),
  pl: (host) => ({
    payee_missing: `Nie wiadomo, na jakie konto zapłacić. Podaj swoje konto (kontakt: ${host}), a zostanie wysłana.`,
    payee_disabled: `Twoje konto nie może teraz przyjmować wypłat. Podaj właściwe konto (kontakt: ${host}), a zostanie wysłana.`,
    closed_account: `Twoje konto jest zamknięte. Podaj właściwe konto (kontakt: ${host}), a zostanie wysłana.`,
    other: `Podaj właściwe konto (kontakt: ${host}), a zostanie wysłana ponownie.`,
  }),
};
