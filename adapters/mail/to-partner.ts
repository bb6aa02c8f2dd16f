import { message, remarks, template, type Words } from './words.js';

/** The words of every message to a partner. */
export const toPartner = {
  accepted: {
    en: template(
      'Accepted: “{title}” ({deal})',
      'The freelancer has accepted “{title}” ({deal}).',
      ...remarks.en,
    ),
    pl: template(
      'Przyjęto: „{title}” ({deal})',
      'Oferta „{title}” ({deal}) została przyjęta przez wykonawcę.',
      ...remarks.pl,
    ),
  },
  declined: {
    en: template(
      'Declined: “{title}” ({deal})',
      'The freelancer has declined “{title}” ({deal}).',
      ...remarks.en,
    ),
    pl: template(
      'Odrzucono: „{title}” ({deal})',
      'Zlecenie „{title}” ({deal}) zostało odrzucone przez wykonawcę.',
      ...remarks.pl,
    ),
  },
  dealExpired: {
    en: template(
      'The offer has expired: “{title}” ({deal})',
      'The freelancer has not accepted “{title}” ({deal}) in time.',
      'Make a new offer if you still need the work.',
    ),
    pl: template(
      'Oferta wygasła: „{title}” ({deal})',
      'Oferta „{title}” ({deal}) nie została przyjęta przez wykonawcę na czas.',
      'Jeśli praca jest nadal potrzebna, prosimy złożyć nową ofertę.',
    ),
  },
  delivered: {
    en: template(
      'Delivered: “{title}” ({deal})',
      'The freelancer has delivered work for “{title}” ({deal}).',
      'Parts of the work: {stages}.',
      ...remarks.en,
      'Please approve it, or ask for changes.',
      'Otherwise it counts as approved on {review_ends}.',
    ),
    pl: template(
      'Oddano pracę: „{title}” ({deal})',
      'Praca nad zleceniem „{title}” ({deal}) została oddana.',
      'Etapy pracy: {stages}.',
      ...remarks.pl,
      'Prosimy ją zaakceptować lub poprosić o zmiany.',
      'W przeciwnym razie zostanie uznana za zaakceptowaną {review_ends}.',
    ),
  },
  reviewEndsSoon: {
    en: template(
      'The review ends soon: “{title}” ({deal})',
      'The delivered work for “{title}” ({deal}) is waiting for your review.',
      'Parts of the work: {stages}.',
      'It counts as approved on {review_ends}, unless you ask for changes before then.',
    ),
    pl: template(
      'Czas na sprawdzenie pracy wkrótce minie: „{title}” ({deal})',
      'Praca oddana w zleceniu „{title}” ({deal}) czeka na sprawdzenie.',
      'Etapy pracy: {stages}.',
      'Bez wcześniejszej prośby o zmiany zostanie uznana za zaakceptowaną {review_ends}.',
    ),
  },
  proposed: {
    en: template(
      'Other terms proposed: “{title}” ({deal})',
      'The freelancer proposes other terms for “{title}” ({deal}).',
      message.en,
      'The amount of the deal would be {proposed}; now it is {amount}.',
      'The deal would end, with {proposed_agreed} for the open work.',
      'Please answer by {proposal_ends}.',
    ),
    pl: template(
      'Propozycja zmiany warunków: „{title}” ({deal})',
      'Wykonawca proponuje zmianę warunków zlecenia „{title}” ({deal}).',
      message.pl,
      'Kwota zlecenia wyniosłaby {proposed}; teraz wynosi {amount}.',
      'Zlecenie zakończyłoby się ugodą: {proposed_agreed} za prace jeszcze niezapłacone.',
      'Prosimy o odpowiedź do {proposal_ends}.',
    ),
  },
  proposalAccepted: {
    en: template(
      'Your proposal is accepted: “{title}” ({deal})',
      'The freelancer has accepted your proposal for “{title}” ({deal}).',
      message.en,
      'The amount of the deal is now {amount}.',
    ),
    pl: template(
      'Przyjęto propozycję: „{title}” ({deal})',
      'Wykonawca przyjmuje Państwa propozycję dotyczącą zlecenia „{title}” ({deal}).',
      message.pl,
      'Kwota zlecenia wynosi teraz {amount}.',
    ),
  },
  proposalRejected: {
    en: template(
      'Your proposal is rejected: “{title}” ({deal})',
      'The freelancer has rejected your proposal for “{title}” ({deal}). It has changed nothing.',
      message.en,
    ),
    pl: template(
      'Odrzucono propozycję: „{title}” ({deal})',
      'Wykonawca odrzuca Państwa propozycję dotyczącą zlecenia „{title}” ({deal}). Niczego nie zmieniła.',
      message.pl,
    ),
  },
  proposalExpired: {
    en: template(
      'Your proposal has expired: “{title}” ({deal})',
      'Your proposal for “{title}” ({deal}) was not answered in time. It has changed nothing.',
    ),
    pl: template(
      'Propozycja wygasła: „{title}” ({deal})',
      'Państwa propozycja dotycząca zlecenia „{title}” ({deal}) wygasła bez odpowiedzi. Niczego nie zmieniła.',
    ),
  },
  settlementAccepted: {
    en: template(
      'Ended by agreement: “{title}” ({deal})',
      'The freelancer has accepted the settlement: “{title}” ({deal}) ends.',
      'The amount for the open work is {agreed}.',
    ),
    pl: template(
      'Zakończenie ugodą: „{title}” ({deal})',
      'Wykonawca przyjmuje ugodę: zlecenie „{title}” ({deal}) kończy się.',
      'Kwota za prace jeszcze niezapłacone: {agreed}.',
    ),
  },
  disputeOpened: {
    en: template(
      'A dispute was opened: “{title}” ({deal})',
      'The freelancer has opened a dispute about “{title}” ({deal}).',
      ...remarks.en,
      'Until it is decided, no work is due and nothing is paid out.',
    ),
    pl: template(
      'Spór: „{title}” ({deal})',
      'Wykonawca otwiera spór dotyczący zlecenia „{title}” ({deal}).',
      ...remarks.pl,
      'Do czasu rozstrzygnięcia terminy i wypłaty są wstrzymane.',
    ),
  },
  disputeDecided: {
    en: template(
      'The dispute is decided: “{title}” ({deal})',
      'The dispute about “{title}” ({deal}) is decided.',
      ...remarks.en,
      'The amount for the open work is {agreed}.',
    ),
    pl: template(
      'Spór rozstrzygnięty: „{title}” ({deal})',
      'Spór dotyczący zlecenia „{title}” ({deal}) został rozstrzygnięty.',
      ...remarks.pl,
      'Kwota za prace jeszcze niezapłacone: {agreed}.',
    ),
  },
  dealCancelled: {
    en: template(
      'Cancelled: “{title}” ({deal})',
      '“{title}” ({deal}) was cancelled by {host}.',
      ...remarks.en,
      'What you have paid and was not paid out comes back to you.',
    ),
    pl: template(
      'Anulowano: „{title}” ({deal})',
      'Zlecenie „{title}” ({deal}) zostało anulowane (kto: {host}).',
      ...remarks.pl,
      'To, co zostało zapłacone, a nie zostało wypłacone wykonawcy, wraca do Państwa.',
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
  paymentReceived: {
    en: template(
      'Payment of {payment} received: “{title}” ({deal})',
      'Your payment of {payment} for “{title}” ({deal}) has arrived.',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Otrzymano płatność {payment}: „{title}” ({deal})',
      'Płatność {payment} za zlecenie „{title}” ({deal}) dotarła.',
      'Identyfikator płatności: {payment_id}.',
    ),
  },
  paymentFailed: {
    en: template(
      'Payment of {payment} failed: “{title}” ({deal})',
      'Your payment of {payment} for “{title}” ({deal}) has failed.',
      'It is still to be paid: ask for the payment again, and pay it then.',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Płatność {payment} nie powiodła się: „{title}” ({deal})',
      'Płatność {payment} za zlecenie „{title}” ({deal}) nie powiodła się.',
      'Nadal trzeba zapłacić: należy ponownie poprosić o płatność i wtedy ją opłacić.',
      'Identyfikator płatności: {payment_id}.',
    ),
  },
  paymentExpired: {
    en: template(
      'The time to pay {payment} is over: “{title}” ({deal})',
      'The payment of {payment} for “{title}” ({deal}) did not come in time.',
      'It is still to be paid: ask for the payment again, and pay it then.',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Minął termin płatności {payment}: „{title}” ({deal})',
      'Płatność {payment} za zlecenie „{title}” ({deal}) nie dotarła na czas.',
      'Nadal trzeba zapłacić: należy ponownie poprosić o płatność i wtedy ją opłacić.',
      'Identyfikator płatności: {payment_id}.',
    ),
  },
  chargedBack: {
    en: template(
      'A payment was charged back: “{title}” ({deal})',
      'Your bank has taken back money that was paid for “{title}” ({deal}).',
      'The amount is {payment}.',
      'What of it is due has to be paid again: ask for the payment again, and pay it then.',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Bank cofnął płatność: „{title}” ({deal})',
      'Państwa bank cofnął płatność za zlecenie „{title}” ({deal}).',
      'Kwota: {payment}.',
      'Należną część trzeba zapłacić ponownie: należy ponownie poprosić o płatność i wtedy ją opłacić.',
      'Identyfikator płatności: {payment_id}.',
    ),
  },
  chargeBackReversed: {
    en: template(
      'A charge-back was reversed: “{title}” ({deal})',
      'The money that your bank had taken back counts as paid again for “{title}” ({deal}).',
      'The amount is {payment}.',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Płatność znów jest ważna: „{title}” ({deal})',
      'Cofnięta przez Państwa bank płatność za zlecenie „{title}” ({deal}) znów jest zaliczona.',
      'Kwota: {payment}.',
      'Identyfikator płatności: {payment_id}.',
    ),
  },
  refunded: {
    en: template(
      'Refund: “{title}” ({deal})',
      'Money that you paid for “{title}” ({deal}) has gone back to you.',
      'The amount is {payment}.',
      'The id of the payment is {payment_id}.',
    ),
    pl: template(
      'Zwrot: „{title}” ({deal})',
      'Pieniądze zapłacone za zlecenie „{title}” ({deal}) zostały zwrócone.',
      'Kwota: {payment}.',
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
} satisfies Readonly<Record<string, Words>>;
