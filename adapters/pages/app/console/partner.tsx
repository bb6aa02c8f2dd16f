import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** One partner. */
export const PartnerScreen = (_: { readonly partner: string }) => (
  <Heading>{words().nav.partners}</Heading>
);
