import { message, remarks, template, type Words } from './words.js';

/** The words of every message to a freelancer. */
export const toFreelancer = {
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
      message.en,
      'The deal would end, with {proposed_agreed} for the open work, before fees.',
      'Under these terms you would get {proposed_net} in all.',
      'Please answer by {proposal_ends}.',
      'Compare old and new, and answer, on this page: {link}',
    ),
    pl: template(
      'Propozycja zmiany warunków: „{title}”',
      '{client} proponuje zmianę warunków zlecenia „{title}”.',
      message.pl,
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
  termsAccepted: {
    en: template(
      'Your proposal is accepted: “{title}”',
      '{client} has accepted your proposal for “{title}”. It is what you have both agreed on now.',
      message.en,
      'You now get {net} in all.',
      'The terms are on this page: {link}',
    ),
    pl: template(
      'Przyjęto Twoją propozycję: „{title}”',
      '{client} przyjmuje Twoją propozycję dotyczącą zlecenia „{title}”. To są teraz uzgodnione warunki.',
      message.pl,
      'Otrzymasz teraz łącznie {net}.',
      'Warunki są na tej stronie: {link}',
    ),
  },
  termsRejected: {
    en: template(
      'Your proposal is rejected: “{title}”',
      '{client} has rejected your proposal for “{title}”. It has changed nothing.',
      message.en,
      'The terms are on this page: {link}',
    ),
    pl: template(
      'Odrzucono Twoją propozycję: „{title}”',
      '{client} odrzuca Twoją propozycję dotyczącą zlecenia „{title}”. Niczego nie zmieniła.',
      message.pl,
      'Warunki są na tej stronie: {link}',
    ),
  },
  termsExpired: {
    en: template(
      'Your proposal has expired: “{title}”',
      'Your proposal for “{title}” was not answered in time. It has changed nothing.',
      'The terms are on this page: {link}',
    ),
    pl: template(
      'Twoja propozycja wygasła: „{title}”',
      'Twoja propozycja dotycząca zlecenia „{title}” wygasła bez odpowiedzi. Niczego nie zmieniła.',
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
      message.en,
      'You now get {net} in all.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Premia: „{title}”',
      '{client} przyznaje Ci premię za zlecenie „{title}”: {bonus} przed odliczeniem prowizji.',
      message.pl,
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
  offerExpired: {
    en: template(
      'The offer has expired: “{title}”',
      'Nobody accepted the offer “{title}” in time.',
      'Ask the client for a new one if you want the work.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Oferta wygasła: „{title}”',
      'Nikt nie przyjął oferty „{title}” na czas.',
      'Jeśli chcesz tej pracy, poproś zleceniodawcę o nową.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  changesRequested: {
    en: template(
      'Changes requested: “{title}”',
      '{client} asks for changes to your work for “{title}”.',
      'Parts of the work: {stages}.',
      ...remarks.en,
      'Upload the new version, and deliver it, on this page: {link}',
    ),
    pl: template(
      'Prośba o zmiany: „{title}”',
      '{client} prosi o zmiany w pracy nad zleceniem „{title}”.',
      'Etapy pracy: {stages}.',
      ...remarks.pl,
      'Na tej stronie możesz przesłać nowe pliki i ponownie oddać pracę: {link}',
    ),
  },
  overdue: {
    en: template(
      'Your work is overdue: “{title}”',
      'The work for “{title}” was due on {due}.',
      'Parts of the work: {stages}.',
      'Deliver it as soon as you can, on this page: {link}',
    ),
    pl: template(
      'Minął termin pracy: „{title}”',
      'Termin oddania pracy nad zleceniem „{title}” minął {due}.',
      'Etapy pracy: {stages}.',
      'Oddaj ją jak najszybciej na tej stronie: {link}',
    ),
  },
  approved: {
    en: template(
      'Your work was approved: “{title}”',
      'Your work for “{title}” was approved.',
      'Parts of the work: {stages}.',
      ...remarks.en,
      'The payout follows once the client’s payment has arrived. You can follow it on this page: {link}',
    ),
    pl: template(
      'Praca zaakceptowana: „{title}”',
      'Twoja praca nad zleceniem „{title}” została zaakceptowana.',
      'Etapy pracy: {stages}.',
      ...remarks.pl,
      'Wypłata nastąpi, gdy wpłynie płatność od zleceniodawcy. Jej stan możesz śledzić na tej stronie: {link}',
    ),
  },
  paidOut: {
    en: template(
      'Paid out: {payment} for “{title}”',
      '{payment} for “{title}” was paid out to you.',
      'Parts of the work: {stages}.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Wypłata: {payment} za „{title}”',
      'Wypłacono Ci {payment} za zlecenie „{title}”.',
      'Etapy pracy: {stages}.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  payoutWaits: {
    en: template(
      'A payout waits for you: “{title}”',
      'Your payout of {payment} for “{title}” waits.',
      '{to_do}',
      'You can follow it on this page: {link}',
    ),
    pl: template(
      'Wypłata czeka: „{title}”',
      'Twoja wypłata {payment} za zlecenie „{title}” czeka.',
      '{to_do}',
      'Jej stan możesz śledzić na tej stronie: {link}',
    ),
  },
  payoutReturned: {
    en: template(
      'A payout did not reach you: “{title}”',
      'The payout of {payment} for “{title}” did not reach you.',
      '{to_do}',
      'You can follow it on this page: {link}',
    ),
    pl: template(
      'Wypłata nie dotarła: „{title}”',
      'Wypłata {payment} za zlecenie „{title}” nie dotarła.',
      '{to_do}',
      'Jej stan możesz śledzić na tej stronie: {link}',
    ),
  },
  payoutCancelled: {
    en: template(
      'A payout was cancelled: “{title}”',
      'Your payout of {payment} for “{title}” was cancelled: what the client has paid does not cover it any more.',
      'Once the client has paid again, a new payout is sent. You need not do anything.',
      'You can follow it on this page: {link}',
    ),
    pl: template(
      'Wypłata anulowana: „{title}”',
      'Twoja wypłata {payment} za zlecenie „{title}” została anulowana: nie ma już na nią pokrycia w płatnościach zleceniodawcy.',
      'Gdy zleceniodawca zapłaci ponownie, wyślemy nową wypłatę. Nie musisz nic robić.',
      'Jej stan możesz śledzić na tej stronie: {link}',
    ),
  },
  disputed: {
    en: template(
      'A dispute was opened: “{title}”',
      '{client} has opened a dispute about “{title}”.',
      ...remarks.en,
      'Until it is decided, no work is due and nothing is paid out.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Spór: „{title}”',
      '{client} otwiera spór dotyczący zlecenia „{title}”.',
      ...remarks.pl,
      'Do czasu rozstrzygnięcia terminy i wypłaty są wstrzymane.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  disputeResolved: {
    en: template(
      'The dispute is decided: “{title}”',
      'The dispute about “{title}” is decided.',
      ...remarks.en,
      'The amount for the open work is {agreed}, before fees.',
      'Details are on this page: {link}',
    ),
    pl: template(
      'Spór rozstrzygnięty: „{title}”',
      'Spór dotyczący zlecenia „{title}” został rozstrzygnięty.',
      ...remarks.pl,
      'Kwota za prace jeszcze niezapłacone, przed odliczeniem prowizji: {agreed}.',
      'Szczegóły są na tej stronie: {link}',
    ),
  },
  cancelled: {
    en: template(
      'Cancelled: “{title}”',
      '“{title}” was cancelled. No work is due any more.',
      ...remarks.en,
      'Details are on this page: {link}',
    ),
    pl: template(
      'Anulowano: „{title}”',
      'Zlecenie „{title}” zostało anulowane. Nie musisz już nic robić.',
      ...remarks.pl,
      'Szczegóły są na tej stronie: {link}',
    ),
  },
} satisfies Readonly<Record<string, Words>>;
