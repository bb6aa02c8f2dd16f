import type { Translated } from '../base/language.js';
import type { en } from './words-en.js';

export const pl: Translated<typeof en> = {
  from: (client: string) => `Oferta – ${client}`,
  fromNobody: 'Oferta dla Ciebie',
  trouble: {
    missing: 'W tym adresie nie ma oferty',
    missingHelp: 'Otwórz jeszcze raz cały odnośnik z wiadomości, do ostatniego znaku.',
    unknown: 'Ten odnośnik jest nieprawidłowy albo wygasł',
    unknownHelp: 'Sprawdź, czy odnośnik jest cały. Jeśli tak, poproś nadawcę o nowy.',
  },
  next: {
    created: 'Przeczytaj ofertę, a potem ją przyjmij, zaproponuj inne warunki albo odrzuć.',
    theirProposal: 'Zleceniodawca proponuje inne warunki.',
    theirAgreement: 'Zleceniodawca proponuje ugodę, która zakończy zlecenie.',
    ownProposal: (day: string) =>
      `Twoja propozycja czeka na odpowiedź zleceniodawcy, najpóźniej do ${day}. Do tego czasu zlecenie się nie zmienia.`,
    accepted:
      'Pracę można oddać, gdy zleceniodawca zabezpieczy płatność. Od tego czasu liczą się Twoje dni.',
    acceptedUntil: (day: string) => `Wykonaj pracę, prześlij pliki i oddaj ją do ${day}.`,
    late: (day: string) => `Termin oddania pracy minął ${day}. Oddaj ją jak najszybciej.`,
    changes: 'Przeczytaj, co poprawić, prześlij nowe pliki i oddaj pracę ponownie.',
    delivered: 'Zleceniodawca sprawdza pracę: zaakceptuje ją albo poprosi o zmiany.',
    approved: 'Praca jest zaakceptowana. Teraz płaci zleceniodawca, potem wyślemy Twoją wypłatę.',
    scheduled: 'Praca jest zaakceptowana, a wypłata wkrótce zostanie wysłana.',
    processing: 'Wypłata jest w drodze na Twoje konto.',
    stuck: (host: string) =>
      `Wypłata nie dotarła. Podaj właściwe konto (kontakt: ${host}), a zostanie wysłana ponownie.`,
    cancelled: 'Zlecenie jest zakończone. Nie musisz nic robić.',
    expired:
      'Nikt nie przyjął oferty na czas. Jeśli chcesz tej pracy, poproś zleceniodawcę o nową.',
    other: 'Teraz nie musisz nic robić.',
  },
  ended: {
    by: (who: string) => `Kto zakończył: ${who}`,
    refund: 'To, co zleceniodawca zapłacił, a nie zostało wypłacone Tobie, wraca do zleceniodawcy.',
    contact: (host: string) =>
      `Pytania? Kontakt (${host}) znajdziesz w odnośnikach na końcu strony.`,
  },
  rights: {
    full_transfer: 'Wraz z zapłatą wszystkie prawa autorskie do pracy przechodzą na zleceniodawcę.',
    license:
      'Prawa autorskie zostają przy Tobie. Zleceniodawca dostaje licencję na korzystanie z pracy.',
    none: 'Na zleceniodawcę nie przechodzą żadne prawa autorskie.',
  },
  pay: {
    heading: 'Twoje wynagrodzenie',
    net: 'Otrzymasz',
    fee: 'Prowizja',
    agreed: 'Uzgodniono',
  },
  work: 'Twoja praca',
  message: 'Wiadomość do zleceniodawcy',
  who: {
    partner: 'Zleceniodawca',
    freelancer: 'Ty',
    operator: 'Serwis',
    clock: 'Automatycznie',
    payments: 'Automatycznie',
  },
  accept: {
    open: 'Przyjmij ofertę',
    help: 'Zgadzasz się dokładnie na to:',
    action: 'Tak, przyjmuję',
    done: 'Oferta jest przyjęta.',
  },
  decline: {
    open: 'Odrzuć',
    openLater: 'Zrezygnuj ze zlecenia',
    help: 'Zlecenie się zakończy, a zleceniodawca się o tym dowie. Tego nie można cofnąć.',
    done: 'Zlecenie jest zakończone.',
  },
  dispute: {
    open: 'Otwórz spór',
    help: (host: string) =>
      `Zlecenie się zatrzyma, a rozstrzygnie ${host}. Napisz, co jest nie tak; zleceniodawca też to przeczyta.`,
    done: 'Spór jest otwarty.',
  },
  deliver: {
    open: 'Oddaj pracę',
    done: 'Praca jest oddana.',
    help: 'Zleceniodawca ją potem sprawdzi. Najpierw prześlij wszystkie pliki.',
  },
  propose: {
    open: 'Zaproponuj inne warunki',
    help: 'Zmień to, co ma być inaczej. Nic się nie zmieni, zanim zleceniodawca się nie zgodzi.',
  },
  settle: {
    open: 'Zaproponuj ugodę',
    help: 'Podaj kwotę przed prowizją za wszystko, co nie jest jeszcze zapłacone. Jeśli zleceniodawca się zgodzi, zostanie zapłacona, a zlecenie się zakończy.',
  },
  amountBefore: 'Kwota przed prowizją',
  theirs: 'Zleceniodawca proponuje inne warunki',
  theirAgreement: 'Zleceniodawca proponuje ugodę',
  payouts: 'Wypłaty',
  print: 'Wydrukuj jako potwierdzenie',
  safe: 'Ta strona jest tylko dla Ciebie. Nie przekazuj odnośnika: kto go ma, może odpowiedzieć za Ciebie.',
};
