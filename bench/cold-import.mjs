import { spawnSync } from 'node:child_process';
import { bundle, withFiles } from './bundle.mjs';
import { table, verdict } from './report.mjs';
import { median } from './statistics.mjs';

const rounds = 60;
const target = 12;

async function run() {
  const core = await bundle('dealwright');
  return withFiles({ 'empty.mjs': '', 'core.mjs': core }, (paths) => {
    const times = paths.map(() => []);
    // round 0 fills the page cache
    for (let round = 0; round <= rounds; round += 1) {
      // the first of a round is the second of the next
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      for (const index of order) {
        const milliseconds = start(paths[index]);
        if (round > 0) times[index].push(milliseconds);
      }
    }
    return report(times);
  });
}

function start(path) {
  const begin = process.hrtime.bigint();
  const { status } = spawnSync(process.execPath, [path], { stdio: 'ignore' });
  if (status !== 0) throw new Error('the bundle does not start');
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

function report([empty, core]) {
  const extra = median(core.map((time, round) => time - empty[round]));
  const rows = [
    ['an empty module', `${median(empty).toFixed(1)} ms`],
    ['the core, bundled', `${median(core).toFixed(1)} ms`],
  ];
  return `Node is started ${rounds} times with each module, in turns. The time is from start to exit; the
difference is the median of the differences of the rounds.

${table(['', 'start to end'], rows)}

- ${extra.toFixed(1)} ms over an empty process (target: ${target}; ${verdict(extra <= target)}).
`;
}

export const coldImport = { name: 'cold-import', title: 'Cold import', run };
