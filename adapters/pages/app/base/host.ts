import { type Language, language } from './language.js';

/** What the host says of itself: `createPages` writes it into the page. */
interface Host {
  readonly name: string;
  readonly logo?: string;
  /** Whether there is the page of an offer. */
  readonly offer: boolean;
  readonly links: readonly {
    readonly text: string | Readonly<Record<Language, string>>;
    readonly href: string;
  }[];
}

const written = document.querySelector<HTMLMetaElement>('meta[name="dealwright-host"]')?.content;

export const host: Host = {
  name: '',
  offer: false,
  links: [],
  ...(JSON.parse(written ?? '{}') as Partial<Host>),
};

/** The text of a link in the language of the page. */
export const textOf = ({ text }: Host['links'][number]): string =>
  typeof text === 'string' ? text : text[language.value];
