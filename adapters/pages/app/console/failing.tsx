import { Heading } from '../base/shell.js';
import { words } from './words.js';

/** Readers of events that fail. */
export const Failing = () => <Heading>{words().nav.failing}</Heading>;
