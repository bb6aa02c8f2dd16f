import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** The deals of all partners. */
export const Deals = () => <Heading>{words().nav.deals}</Heading>;
