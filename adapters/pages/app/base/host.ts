import { type Language, language } from './language.js';

/** What the host says of itself: `createPages` writes it into the page. */
interface Host {
  readonly name: string;
  readonly logo?: string;
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

export const textOf = ({ text }: Host['links'][number]): string =>
  typeof text === 'string' ? text : text[language.value];
