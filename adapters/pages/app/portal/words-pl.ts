import type { Translated } from '../base/language.js';
import type { en } from './words-en.js';

export const pl: Translated<typeof en> = {
  nav: { deals: 'Zlecenia', webhooks: 'Webhooki', feed: 'Zdarzenia' },
  number: 'Twój numer zlecenia',
  empty: {
    deals: 'Nie ma jeszcze zleceń. Złóż wykonawcy pierwszą ofertę.',
    webhooks:
      'Nie ma jeszcze webhooków. Dodaj pierwszy, a Twój system dowie się o każdym zdarzeniu.',
    noWebhooks: 'Nie ma tu webhooków: użyj listy zdarzeń.',
    tokens: 'Nie masz jeszcze tokenów API. Poproś o token serwis.',
  },
  create: {
    open: 'Nowe zlecenie',
    heading: 'Co proponujesz wykonawcy',
    help: 'Oferta powstaje od razu. Potem dostaniesz odnośnik dla wykonawcy; przed przyjęciem oferty niczego nie trzeba płacić.',
    category: 'Kategoria',
    choose: 'Wybierz',
    language: 'Język wykonawcy',
    send: 'Złóż ofertę',
    done: 'Oferta jest złożona.',
    exists: 'Masz już zlecenie z tym numerem.',
    noName: 'Nadaj nazwę każdemu etapowi.',
    noDays: 'Podaj liczbę dni, bez ułamków.',
    leftOver:
      'Oferta jest złożona, ale nie jest jeszcze podzielona na etapy. Zmień warunki, aby to zrobić.',
  },
  rights: {
    full_transfer: 'Wraz z zapłatą wszystkie prawa autorskie do pracy przechodzą na Ciebie.',
    license: 'Prawa autorskie zostają przy wykonawcy. Dostajesz licencję na korzystanie z pracy.',
    none: 'Nie przechodzą na Ciebie żadne prawa autorskie.',
  },
  message: 'Wiadomość do wykonawcy',
  who: {
    partner: 'Ty',
    freelancer: 'Wykonawca',
    operator: 'Serwis',
    clock: 'Automatycznie',
    payments: 'Automatycznie',
  },
  next: {
    created: 'Wyślij odnośnik wykonawcy i oznacz ofertę jako wysłaną.',
    withoutLink: 'Przekaż ofertę wykonawcy i oznacz ją jako wysłaną.',
    invited: 'Wykonawca ma ofertę. Poczekaj na odpowiedź.',
    invitedUntil: (day: string) => `Wykonawca ma ofertę i może odpowiedzieć do ${day}.`,
    ownProposal: (day: string) =>
      `Twoja propozycja zmiany czeka na odpowiedź wykonawcy, najpóźniej do ${day}. Do tego czasu zlecenie się nie zmienia.`,
    theirProposal: 'Wykonawca proponuje zmianę.',
    pay: (amount: string) => `Do zapłaty przez Ciebie: ${amount}.`,
    working: 'Wykonawca pracuje.',
    workingUntil: (day: string) => `Wykonawca pracuje i odda pracę do ${day}.`,
    late: (day: string) =>
      `Termin oddania pracy minął ${day}. Siedem dni później możesz anulować zlecenie, nawet opłacone.`,
    lateInPart: (day: string) => `Termin oddania pracy minął ${day}.`,
    delivered: 'Sprawdź pracę, a potem ją zaakceptuj albo poproś o zmiany.',
    approved: 'Praca jest zaakceptowana. Wykonawca dostaje wypłatę.',
    cancelled: 'Zlecenie jest zakończone. To, co zapłacono, a nie wypłacono, wraca do Ciebie.',
    expired: 'Nikt nie przyjął oferty na czas. Złóż nową, jeśli nadal potrzebujesz tej pracy.',
  },
  attention: {
    payout_returned: 'Wypłata wróciła. Zajmuje się tym serwis.',
    refund_failed: 'Zwrot nie dotarł. Zajmuje się tym serwis.',
    paid_twice: 'Wypłata dotarła dwa razy. Zajmuje się tym serwis.',
  },
  employer_fee: 'W tym Twoja prowizja',
  money: {
    heading: 'Płatność',
    total: 'Płacisz łącznie',
    requests: 'Twoje płatności',
    payouts: 'Wypłaty dla wykonawcy',
  },
  link: {
    open: 'Odnośnik dla wykonawcy',
    label: 'Odnośnik do oferty',
    help: 'Przekaż go tylko wykonawcy: kto go ma, może odpowiedzieć za wykonawcę.',
  },
  commands: {
    approve: {
      open: 'Zaakceptuj pracę',
      help: 'Przyjmujesz oddaną pracę, a ta kwota, pomniejszona o prowizję wykonawcy, trafi do wykonawcy. Jeśli nie jest jeszcze zabezpieczona, poprosimy Cię o zapłatę. Tego nie można cofnąć.',
      done: 'Praca jest zaakceptowana.',
    },
    'request-changes': {
      open: 'Poproś o zmiany',
      help: 'Praca wraca do wykonawcy, który przeczyta powód i odda ją ponownie.',
      done: 'Prośba o zmiany jest wysłana.',
    },
    invite: {
      open: 'Oznacz jako wysłaną',
      help: 'Potwierdzasz, że wykonawca ma ofertę.',
      done: 'Oferta jest oznaczona jako wysłana.',
    },
    accept: {
      open: 'Przyjmij za wykonawcę',
      help: 'Potwierdzasz, że wykonawca przyjmuje ofertę na obecnych warunkach.',
      done: 'Oferta jest przyjęta.',
    },
    'request-payment': {
      open: 'Poproś o płatność ponownie',
      help: 'Powstanie nowa prośba o to, co jest teraz do zapłaty, gdy poprzednia się nie udała albo wygasła.',
      done: 'Poproszono o płatność.',
    },
    deliver: {
      open: 'Oddaj za wykonawcę',
      help: 'Potwierdzasz, że przesłane pliki są gotową pracą.',
      done: 'Praca jest oddana.',
    },
    'add-bonus': {
      open: 'Dodaj premię',
      help: 'To kwota ponad ustaloną. Wykonawca dostanie ją bez odpowiedzi.',
      done: 'Premia jest dodana.',
    },
    dispute: {
      open: 'Otwórz spór',
      help: 'Zlecenie się zatrzyma, a rozstrzygnie serwis. Napisz, co jest nie tak; wykonawca też to przeczyta.',
      done: 'Spór jest otwarty.',
    },
    decline: {
      open: 'Odrzuć za wykonawcę',
      help: 'Zlecenie się zakończy. Tego nie można cofnąć.',
      done: 'Zlecenie jest zakończone.',
    },
    cancel: {
      open: 'Anuluj zlecenie',
      help: 'Zlecenie się zakończy, a wykonawca się o tym dowie. To, co zabezpieczone, wraca do Ciebie. Tego nie można cofnąć.',
      done: 'Zlecenie jest anulowane.',
    },
    propose: {
      open: 'Zmień warunki',
      help: 'Zmień to, co ma być inaczej. Nic się nie zmieni, zanim wykonawca się nie zgodzi.',
      done: 'Wysłano.',
    },
    settle: {
      open: 'Zaproponuj ugodę',
      help: 'Podaj kwotę za wszystko, co nie jest jeszcze zapłacone. Jeśli wykonawca się zgodzi, zostanie zapłacona, a zlecenie się zakończy.',
    },
  },
  proposeNow: 'Nikt nie przyjął jeszcze oferty: zmiany działają od razu.',
  changeNow: 'Zmień ofertę',
  theirs: 'Wykonawca proponuje zmianę',
  secret: {
    title: 'Sekret webhooka',
    label: 'Sekret',
    help: 'Twój system sprawdza nim, czy wiadomość jest stąd. Skopiuj go teraz: nie zostanie pokazany ponownie.',
    kept: 'Jest zapisany',
  },
};
