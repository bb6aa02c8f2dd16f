import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** The partners. */
export const Partners = () => <Heading>{words().nav.partners}</Heading>;
