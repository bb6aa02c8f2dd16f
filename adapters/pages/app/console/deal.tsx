import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** One deal, as the operator sees it. */
export const DealScreen = (_: { readonly partner: string; readonly id: string }) => (
  <Heading>{words().nav.deals}</Heading>
);
