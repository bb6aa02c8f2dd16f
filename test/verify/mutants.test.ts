import { readdirSync } from 'node:fs';
import { verifiedLaws, verify } from 'dealwright/verify';
import { describe, expect, it } from 'vitest';
import { seed } from '../kit/seed.js';
import { isLong } from '../tiers.js';
import { inMemory } from './in-memory.js';
import type { Mutant } from './mutants/mutant.js';

interface Topic {
  readonly name: string;
  readonly mutants: readonly Mutant[];
}

const topics = await Promise.all(
  readdirSync(new URL('mutants', import.meta.url)).map(async (file): Promise<Topic> => {
    const name = file.replace(/\.ts$/, '');
    const { mutants = [] }: Partial<Topic> = await import(`./mutants/${name}.ts`);
    return { name, mutants };
  }),
);

const ids = new Set(verifiedLaws().map(({ id }) => id));

/** A long run plants all mistakes, others an eighth of them, which the seed chooses. */
const isPlanted = (at: number) => isLong || (at + seed) % 8 === 0;

for (const { name: topic, mutants } of topics) {
  const planted = mutants.filter((_, at) => isPlanted(at));
  if (planted.length === 0) continue;
  describe(topic, () => {
    for (const { name, law, isPrepaid, fetch } of planted) {
      it(`${law} finds: ${name}`, async () => {
        expect(ids).toContain(law);
        const mode = isPrepaid ? 'prepaid' : 'invoice';
        const { fetch: forward = globalThis.fetch, ...options } = inMemory({ mode });
        const mutant = fetch((request) => forward(request));
        const { results } = await verify({
          ...options,
          only: law,
          timeout: 1_000,
          fetch: async (input, init) => mutant(new Request(input, init)),
        });
        expect(results.map(({ outcome }) => outcome)).toContain('failed');
      });
    }
  });
}
