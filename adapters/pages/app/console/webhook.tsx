import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** One webhook of a partner. */
export const WebhookScreen = (_: { readonly partner: string; readonly id: string }) => (
  <Heading>{words().nav.failing}</Heading>
);
