import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';
import { measured, trials } from './cases.mjs';

const libraries = ['dealwright', 'zod', 'ajv', 'typebox'];
const titles = {
  dealwright: 'dealwright',
  zod: 'Zod 4',
  ajv: 'Ajv 8 (allErrors)',
  typebox: 'TypeBox, compiled',
};
const cases = Object.keys(measured);
const rounds = 11;
const milliseconds = 120;

async function run() {
  const contenders = new Map(
    libraries.map((name) => [
      name,
      startContender(new URL('./worker.mjs', import.meta.url), [name]),
    ]),
  );
  try {
    await agree(contenders);
    return report(await measure(contenders));
  } finally {
    for (const contender of contenders.values()) contender.stop();
  }
}

/** Refuses to measure contenders that do not apply the same rules. */
async function agree(contenders) {
  const bodies = trials();
  const ours = await contenders.get('dealwright').ask({ verdicts: true });
  for (const [library, contender] of contenders) {
    const theirs = await contender.ask({ verdicts: true });
    const differs = theirs.findIndex((fields, index) => fields !== ours[index]);
    if (differs >= 0) {
      const body = JSON.stringify(bodies[differs]);
      throw new Error(`${library}: "${theirs[differs]}", not "${ours[differs]}" fail in ${body}`);
    }
  }
}

async function measure(contenders) {
  const figures = new Map();
  // round 0 warms up
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of cases) {
      for (const [library, contender] of contenders) {
        const { value } = await contender.ask({ name, milliseconds });
        const key = `${library}: ${name}`;
        if (round > 0) figures.set(key, [...(figures.get(key) ?? []), value]);
      }
    }
  }
  return (library, name) => figures.get(`${library}: ${name}`);
}

function report(figures) {
  const rows = libraries.map((library) => [
    titles[library],
    ...cases.map((name) => {
      const nanoseconds = Math.round(median(figures(library, name)));
      if (library === 'dealwright') return `${nanoseconds} ns`;
      const ratio = medianRatio(figures(library, name), figures('dealwright', name));
      return `${nanoseconds} ns (${ratio.toFixed(2)}x ours)`;
    }),
  ]);
  const [valid, invalid] = cases.map((name) =>
    medianRatio(figures('zod', name), figures('dealwright', name)),
  );
  return `One process for each library, ${rounds} rounds. All libraries apply the same rules: before the run, they have to
agree on ${trials().length} bodies. Each reports every bad field with a message. The others have one predicate with one fixed message
for each field; dealwright says more. dealwright and Zod build the parsed value; Ajv and TypeBox only check.

${table(['', ...cases], rows)}

- Contractor with 5 bad fields: ${invalid.toFixed(1)}x as fast as Zod (target: 5; ${verdict(invalid >= 5)}).
- Contractor, valid: ${valid.toFixed(2)}x as fast as Zod (target: 1; ${verdict(valid >= 1)}).
`;
}

/** The measurements that are compared with another commit, whose checkout is at `root`. */
async function side(root) {
  const worker = startContender(new URL('bench/validation/worker.mjs', root), ['dealwright']);
  return {
    async measure() {
      const figures = {};
      for (const name of cases) {
        figures[`validation of a ${name}, ns`] = (await worker.ask({ name, milliseconds })).value;
      }
      return figures;
    },
    stop: () => worker.stop(),
  };
}

export const validation = { name: 'validation', title: 'Validation', run, side };
