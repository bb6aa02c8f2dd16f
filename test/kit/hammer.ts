const [first, count] = [Number(process.env['SEED'] ?? 1), Number(process.env['HAMMER'] ?? 1)];

/**
 * The seeds of hammers: one of each store in a test run, of some 5,000 calls. `HAMMER=40` makes
 * 200,000 calls of it, from the seed that `SEED` says.
 */
export const hammerSeeds = Array.from({ length: count }, (_, at) => first + at);

/** How a store is hammered with a seed. */
export const hammer = (seed: number, calls = 5000) => ({ clients: 64, calls, seed });
