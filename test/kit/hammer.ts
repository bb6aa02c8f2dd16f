import { countOf } from '../tiers.js';
import { seed } from './seed.js';

const count = countOf('HAMMER', 1, 8);

/**
 * The seeds of hammers: one for each store in a test run, of some 5,000 calls. `HAMMER=40` makes
 * 200,000 calls.
 */
export const hammerSeeds = Array.from({ length: count }, (_, at) => seed + at);

/** The options of a hammer with a seed. */
export const hammer = (first: number, calls = 5000) => ({ clients: 64, calls, seed: first });
