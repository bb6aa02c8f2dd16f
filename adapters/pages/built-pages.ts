/** A page as the build makes it: its script and its style by their hashed names. */
export interface BuiltPage {
  /** What a browser shows until the script has set a title. */
  readonly title: string;
  readonly script: BuiltFile;
  readonly style: BuiltFile;
}

/** The name of a file and its text. */
export type BuiltFile = readonly [name: string, text: string];

/** All pages by their paths, and the licences of the packages in their scripts. */
export interface BuiltPages {
  readonly pages: Readonly<Record<string, BuiltPage>>;
  readonly licences: string;
}

/**
 * In `dist`, the build replaces this value with the pages that it makes from `app`. They are a
 * module, not files beside one: every bundler and every runtime knows what to do with it.
 */
export const builtPages: BuiltPages = { pages: {}, licences: '' };
