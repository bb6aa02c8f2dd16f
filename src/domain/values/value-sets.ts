/**
 * The kind of copyright transfer (interface, CopyrightTransferEnum; decision 3). A host may have
 * other values: `ValueSets`.
 */
export type CopyrightTransfer = 'full_transfer' | 'license' | 'none' | OtherValue;

/**
 * The language for the freelancer (interface, FreelancerLanguageEnum; decision 3). A host may have
 * other values: `ValueSets`.
 */
export type FreelancerLanguage = 'pl' | 'en' | OtherValue;

/** Any text, in a form that keeps the known values in an editor's suggestions. */
type OtherValue = string & Record<never, never>;

/** The sets of values that the interface does not list and a host may replace (decision 3). */
export interface ValueSets {
  readonly copyright_transfer: readonly CopyrightTransfer[];
  readonly freelancer_language: readonly FreelancerLanguage[];
}

/**
 * The sets if the host sets no others.
 *
 * @example
 * ```ts
 * import { defaultValueSets } from 'dealwright';
 *
 * defaultValueSets.freelancer_language; // ['pl', 'en']
 * ```
 */
export const defaultValueSets: ValueSets = {
  copyright_transfer: ['full_transfer', 'license', 'none'],
  freelancer_language: ['pl', 'en'],
};
