import type { Language } from 'dealwright';
import type { MailKind } from './kinds.js';
import type { MailTemplate } from './message.js';

/** The values that templates may show: what each slot means. */
export const slotNames = {
  host: 'the name of the host',
  title: 'the title of the deal',
  deal: 'the id of the deal in the system of the partner',
  client: 'the name of the partner',
  address: 'the address of the freelancer',
  amount: 'the amount of the deal',
  stages: 'the names of the stages, if the deal has several',
  agreed: 'the amount of a settlement or of a resolved dispute',
  payment: 'the amount of the payment',
  payment_id: 'the id of the payment',
  bonus: 'the amount of a bonus',
  reason: 'the reason that was given',
  message: 'the message that was given',
  proposal_ends: 'when an open proposal expires',
  review_ends: 'when delivered work counts as approved',
  proposed: 'to the partner: the amount of the deal with the proposed terms',
  proposed_agreed: 'the amount of a proposed settlement',
  link: 'to the freelancer: the page of the offer',
  net: 'to the freelancer: the amount less the fee',
  fee: 'to the freelancer: the fee, if there is one',
  answer_by: 'to the freelancer: when the offer expires',
  proposed_net: 'to the freelancer: the amount less the fee with the proposed terms',
} as const;

/** A value that templates may show. */
export type SlotName = keyof typeof slotNames;

type Templates = Readonly<Record<MailKind, Readonly<Record<Language, MailTemplate>>>>;

const template = (subject: string, ...paragraphs: readonly string[]): MailTemplate => ({
  subject,
  paragraphs,
});

/** What the other side has said, if it has. */
const remarks = ['{reason}', '{message}'];

/** The words of every message. */
export const templates: Templates = {
  offered: {
    en: template(
      '{client} offers you work: “{title}”',
      '{client} offers you work through {host}: “{title}”.',
      'You get {net} for it.',
      'A fee of {fee} is already taken off.',
      'Please answer by {answer_by}.',
      'Read the whole offer, and accept or decline it, on this page: {link}',
      'The link is for you alone: whoever has it can answer in your place.',
    ),
    pl: template(
      '{client} proponuje zlecenie: „{title}”',
      '{client} proponuje Ci zlecenie w serwisie {host}: „{title}”.',
      'Otrzymasz za nie {net}.',
      'Prowizja {fee} jest już odliczona.',
      'Prosimy o odpowiedź do {answer_by}.',
      'Na tej stronie możesz przeczytać całą ofertę oraz ją przyjąć lub odrzucić: {link}',
      'Odnośnik jest tylko dla Ciebie: kto go ma, może odpowiedzieć za Ciebie.',
    ),
  },
  termsProposed: {
    en: template(
      'Other terms proposed: “{title}”',
      '{client} proposes other terms for “{title}”.',
      '{message}',
      'The deal would end, with {proposed_agreed} for the open work, before fees.',
      'Under these terms you would get {proposed_net} in all.',
      'Please answer by {proposal_ends}.',
      'Compare old and new, and answer, on this page: {link}',
    ),
    pl: template(
      'Propozycja zmiany warunków: „{title}”',
      '{client} proponuje zmianę warunków zlecenia „{title}”.',
      '{message}',
      'Zlecenie zakończyłoby się ugodą: {proposed_agreed} za prace jeszcze niezapłacone, przed odliczeniem prowizji.',
      'Na tych warunkach otrzymasz łącznie {proposed_net}.',
      'Prosimy o odpowiedź do {proposal_ends}.',
      'Na tej stronie możesz porównać stare i nowe warunki oraz odpowiedzieć: {link}',
    ),
  },
  termsChanged: {
    en: template(
      'The terms have changed: “{title}”',
      'The terms of “{title}” have changed.',
      'You now get {net} in all.',
      'The terms are on this page: {link}',
    ),
    pl: template(
      'Zmiana warunków: „{title}”',
      'Warunki zlecenia „{title}” zmieniły się.',
      'Otrzymasz teraz łącznie {net}.',
      'Warunki są na tej stronie: {link}',
    ),
  },
  settled: {
    en: template(
      'Ended by agreement: “{title}”',
      '{client} has accepted the settlement: “{title}” ends.',
      'The amount for the open work is {agreed}, before fees.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Zakończenie ugodą: „{title}”',
      '{client} przyjmuje ugodę: zlecenie „{title}” kończy się.',
      'Kwota za prace jeszcze niezapłacone, przed odliczeniem prowizji: {agreed}.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  bonusAdded: {
    en: template(
      'A bonus for you: “{title}”',
      '{client} has added a bonus of {bonus} to “{title}”, before fees.',
      '{message}',
      'You now get {net} in all.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Premia: „{title}”',
      '{client} przyznaje Ci premię za zlecenie „{title}”: {bonus} przed odliczeniem prowizji.',
      '{message}',
      'Otrzymasz teraz łącznie {net}.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  expiresSoon: {
    en: template(
      'The offer expires soon: “{title}”',
      '{client} is waiting for your answer to the offer “{title}”, which expires soon.',
      'Please answer by {answer_by}.',
      'Accept or decline it on this page: {link}',
    ),
    pl: template(
      'Oferta wkrótce wygaśnie: „{title}”',
      '{client} czeka na odpowiedź na ofertę „{title}”, która wkrótce wygaśnie.',
      'Prosimy o odpowiedź do {answer_by}.',
      'Na tej stronie możesz ją przyjąć lub odrzucić: {link}',
    ),
  },
  changesRequested: {
    en: template(
      'Changes requested: “{title}”',
      '{client} asks for changes to your work for “{title}”.',
      'It is about: {stages}.',
      ...remarks,
      'Upload the new version, and deliver it, on this page: {link}',
    ),
    pl: template(
      'Prośba o zmiany: „{title}”',
      '{client} prosi o zmiany w pracy nad zleceniem „{title}”.',
      'Dotyczy: {stages}.',
      ...remarks,
      'Na tej stronie możesz przesłać nowe pliki i ponownie oddać pracę: {link}',
    ),
  },
  approved: {
    en: template(
      'Your work was approved: “{title}”',
      'Your work for “{title}” was approved.',
      'It is about: {stages}.',
      ...remarks,
      'The payout follows once the client’s payment has arrived. You can follow it on this page: {link}',
    ),
    pl: template(
      'Praca zaakceptowana: „{title}”',
      'Twoja praca nad zleceniem „{title}” została zaakceptowana.',
      'Dotyczy: {stages}.',
      ...remarks,
      'Wypłata nastąpi, gdy wpłynie płatność od zleceniodawcy. Jej stan możesz śledzić na tej stronie: {link}',
    ),
  },
  paidOut: {
    en: template(
      'Paid out: {payment} for “{title}”',
      '{payment} for “{title}” was paid out to you.',
      'It is about: {stages}.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Wypłata: {payment} za „{title}”',
      'Wypłacono Ci {payment} za zlecenie „{title}”.',
      'Dotyczy: {stages}.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  payoutReturned: {
    en: template(
      'A payout did not arrive: “{title}”',
      'The payout of {payment} for “{title}” did not arrive.',
      'It is tried again once the cause is known. You can follow it on this page: {link}',
    ),
    pl: template(
      'Wypłata nie dotarła: „{title}”',
      'Wypłata {payment} za zlecenie „{title}” nie dotarła.',
      'Zostanie wysłana ponownie po wyjaśnieniu przyczyny. Jej stan możesz śledzić na tej stronie: {link}',
    ),
  },
  disputed: {
    en: template(
      'A dispute was opened: “{title}”',
      '{client} has opened a dispute about “{title}”.',
      ...remarks,
      'Until it is decided, no work is due and nothing is paid out.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Spór: „{title}”',
      '{client} otwiera spór dotyczący zlecenia „{title}”.',
      ...remarks,
      'Do czasu rozstrzygnięcia terminy i wypłaty są wstrzymane.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  disputeResolved: {
    en: template(
      'The dispute is decided: “{title}”',
      'The dispute about “{title}” is decided.',
      ...remarks,
      'The amount for the open work is {agreed}, before fees.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Spór rozstrzygnięty: „{title}”',
      'Spór dotyczący zlecenia „{title}” został rozstrzygnięty.',
      ...remarks,
      'Kwota za prace jeszcze niezapłacone, przed odliczeniem prowizji: {agreed}.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  cancelled: {
    en: template(
      'Cancelled: “{title}”',
      '“{title}” was cancelled. No work is due any more.',
      ...remarks,
      'Details are on this page: {link}',
    ),
    pl: template(
      'Anulowano: „{title}”',
      'Zlecenie „{title}” zostało anulowane. Nie musisz już nic robić.',
      ...remarks,
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  accepted: {
    en: template(
      'Accepted: “{title}” ({deal})',
      'The freelancer has accepted “{title}” ({deal}).',
      ...remarks,
    ),
    pl: template(
      'Przyjęto: „{title}” ({deal})',
      'Oferta „{title}” ({deal}) została przyjęta przez wykonawcę.',
      ...remarks,
    ),
  },
  declined: {
    en: template(
      'Declined: “{title}” ({deal})',
      'The freelancer has declined “{title}” ({deal}).',
      ...remarks,
    ),
    pl: template(
      'Odrzucono: „{title}” ({deal})',
      'Zlecenie „{title}” ({deal}) zostało odrzucone przez wykonawcę.',
      ...remarks,
    ),
  },
  delivered: {
    en: template(
      'Delivered: “{title}” ({deal})',
      'The freelancer has delivered work for “{title}” ({deal}).',
      'It is about: {stages}.',
      ...remarks,
      'Please approve it, or ask for changes.',
      'Otherwise it counts as approved on {review_ends}.',
    ),
    pl: template(
      'Oddano pracę: „{title}” ({deal})',
      'Praca nad zleceniem „{title}” ({deal}) została oddana.',
      'Dotyczy: {stages}.',
      ...remarks,
      'Prosimy ją zaakceptować lub poprosić o zmiany.',
      'W przeciwnym razie zostanie uznana za zaakceptowaną {review_ends}.',
    ),
  },
  reviewEndsSoon: {
    en: template(
      'The review ends soon: “{title}” ({deal})',
      'The delivered work for “{title}” ({deal}) is waiting for your review.',
      'It is about: {stages}.',
      'It counts as approved on {review_ends}, unless you ask for changes before then.',
    ),
    pl: template(
      'Czas na sprawdzenie pracy wkrótce minie: „{title}” ({deal})',
      'Praca oddana w zleceniu „{title}” ({deal}) czeka na sprawdzenie.',
      'Dotyczy: {stages}.',
      'Bez wcześniejszej prośby o zmiany zostanie uznana za zaakceptowaną {review_ends}.',
    ),
  },
  proposed: {
    en: template(
      'Other terms proposed: “{title}” ({deal})',
      'The freelancer proposes other terms for “{title}” ({deal}).',
      '{message}',
      'The amount of the deal would be {proposed}; now it is {amount}.',
      'The deal would end, with {proposed_agreed} for the open work.',
      'Please answer by {proposal_ends}.',
    ),
    pl: template(
      'Propozycja zmiany warunków: „{title}” ({deal})',
      'Wykonawca proponuje zmianę warunków zlecenia „{title}” ({deal}).',
      '{message}',
      'Kwota zlecenia wyniosłaby {proposed}; teraz wynosi {amount}.',
      'Zlecenie zakończyłoby się ugodą: {proposed_agreed} za prace jeszcze niezapłacone.',
      'Prosimy o odpowiedź do {proposal_ends}.',
    ),
  },
  paymentRequested: {
    en: template(
      'Payment of {payment} for “{title}” ({deal})',
      'Please pay {payment} for “{title}” ({deal}).',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Płatność {payment} za „{title}” ({deal})',
      'Prosimy o zapłatę {payment} za zlecenie „{title}” ({deal}).',
      'Identyfikator płatności: {payment_id}.',
    ),
  },
  undelivered: {
    en: template(
      'Not delivered to your freelancer: “{title}” ({deal})',
      'A message about “{title}” ({deal}) could not be delivered: the mail server has refused it for {address}.',
      'It is not sent again. Please check the address, and reach the freelancer in another way.',
    ),
    pl: template(
      'Nie dostarczono wykonawcy: „{title}” ({deal})',
      'Nie udało się dostarczyć wiadomości o zleceniu „{title}” ({deal}): serwer poczty odrzucił ją dla adresu {address}.',
      'Nie wyślemy jej ponownie. Prosimy sprawdzić adres i skontaktować się z wykonawcą inaczej.',
    ),
  },
};
