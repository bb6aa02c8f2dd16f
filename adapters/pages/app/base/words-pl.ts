import type { Translated } from './language.js';
import type { en } from './words-en.js';

export const pl: Translated<typeof en> = {
  language: 'Język',
  loading: 'Wczytywanie',
  cancel: 'Wróć',
  retry: 'Spróbuj ponownie',
  optional: 'opcjonalnie',
  sending: 'Wysyłanie',
  host: 'serwis',
  failures: {
    offline: 'Brak połączenia. Wpisany tekst został zachowany. Sprawdź sieć i spróbuj ponownie.',
    unavailable:
      'Serwis chwilowo nie odpowiada. Wpisany tekst został zachowany. Spróbuj za minutę.',
    slow: 'W krótkim czasie wysłano zbyt wiele zapytań. Odczekaj minutę i spróbuj ponownie.',
    moved:
      'Od wczytania tej strony zlecenie się zmieniło. Poniżej jest jego obecny stan. Wpisany tekst został zachowany.',
    fields: 'Sprawdź zaznaczone pola.',
    missing: 'To już nie istnieje.',
    aborted: 'Anulowano.',
    tooLarge: (limit: string) => `Plik jest za duży. Limit to ${limit}.`,
    other: 'Teraz nie jest to możliwe.',
  },
  reasons: {
    no_files: 'Przed oddaniem pracy prześlij co najmniej jeden plik.',
    empty_file: 'Plik jest pusty.',
    files_left: 'Nie wszystkie pliki są przesłane. Poczekaj na nie albo usuń je z listy.',
    not_paid: 'Zleceniodawca nie zabezpieczył jeszcze płatności. Będzie to możliwe, gdy to zrobi.',
    already_paid: 'To jest już opłacone.',
    work_delivered:
      'Praca została już oddana, więc nie można zrezygnować ze zlecenia. Możesz otworzyć spór.',
    stage_closed: 'Ten etap nie przyjmuje już plików ani zmian.',
    payout_processing: 'Wypłata jest w drodze. Poczekaj, aż dotrze.',
    amount_out_of_bounds: 'Ta kwota nie jest możliwa w tym zleceniu.',
    too_many: 'Jest ich już zbyt wiele.',
    stages_required: 'Podaj zmiany dla każdego etapu.',
    nothing_changed: 'Nic by się nie zmieniło. Najpierw coś zmień.',
    terms_changed: 'Od przeczytania warunki się zmieniły. Przeczytaj je ponownie, zanim odpowiesz.',
    consent_needed: 'To wymaga zgody drugiej strony.',
  },
};
