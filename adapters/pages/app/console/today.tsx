import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** What needs the operator. */
export const Today = () => <Heading>{words().nav.today}</Heading>;
