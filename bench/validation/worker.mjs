import { serveContender } from '../contender.mjs';
import { measured, trials } from './cases.mjs';

const { contender } = await import(`./${process.argv[2]}.mjs`);

// bodies as a server gets them: each parsed from its own JSON
const inputs = new Map(
  Object.entries(measured).map(([name, [aggregate, body]]) => {
    const json = JSON.stringify(body);
    return [name, [aggregate, Array.from({ length: 256 }, () => JSON.parse(json))]];
  }),
);

/** Nanoseconds for a body, measured over about `milliseconds`. */
function time(name, milliseconds) {
  const [aggregate, bodies] = inputs.get(name);
  const judge = contender[aggregate];
  const end = performance.now() + milliseconds;
  const begin = process.hrtime.bigint();
  let judged = 0;
  let found = 0;
  do {
    for (const body of bodies) found += judge(body)?.length ?? 0;
    judged += bodies.length;
  } while (performance.now() < end);
  const nanoseconds = Number(process.hrtime.bigint() - begin);
  return { value: nanoseconds / judged, found };
}

function verdicts() {
  return trials().map(([aggregate, body]) => {
    const issues = contender[aggregate](body) ?? [];
    return [...new Set(issues.map(contender.fieldOf))].sort().join(' ');
  });
}

serveContender(({ verdicts: wanted, name, milliseconds }) =>
  wanted ? verdicts() : time(name, milliseconds),
);
