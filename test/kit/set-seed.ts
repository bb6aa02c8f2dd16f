import * as fc from 'fast-check';
import { seed } from './seed.js';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
