import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';

const contenders = { dealwright: 'dealwright', 'by-hand': 'by hand, without the library' };
const rounds = 15;
const count = 50_000;

async function run() {
  const names = Object.keys(contenders);
  const processes = names.map((name) =>
    startContender(new URL('./worker.mjs', import.meta.url), [name], { execArgv: ['--expose-gc'] }),
  );
  const figures = names.map(() => []);
  try {
    // round 0 warms up
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, contender] of processes.entries()) {
        const nanoseconds = await contender.ask({ count });
        if (round > 0) figures[index].push(nanoseconds);
      }
    }
  } finally {
    for (const contender of processes) contender.stop();
  }
  return report(names, figures);
}

function report(names, figures) {
  const [ours, byHand] = figures;
  const microseconds = median(ours) / 1000;
  const ratio = medianRatio(ours, byHand);
  const rows = names.map((name, index) => [
    contenders[name],
    `${Math.round(median(figures[index]))} ns`,
    `${medianRatio(figures[index], byHand).toFixed(2)}x`,
  ]);
  return `Calls of \`createDeal\`, one after the other. Each validates its input, and stores a deal with its stage
and its event. Each round creates ${count.toLocaleString('en')} deals in an empty store; ${rounds} rounds, one process each.

${table(['', 'one deal', 'against by hand'], rows)}

- ${microseconds.toFixed(2)} us (target: 4; ${verdict(microseconds <= 4)}).
- ${ratio.toFixed(2)}x of by hand (target: 1.5; ${verdict(ratio <= 1.5)}).
`;
}

/** The measurements that are compared with another commit, whose checkout is at `root`. */
async function side(root) {
  const worker = startContender(new URL('bench/create/worker.mjs', root), ['dealwright'], {
    execArgv: ['--expose-gc'],
  });
  return {
    measure: async () => ({ 'a create in process, ns': await worker.ask({ count }) }),
    stop: () => worker.stop(),
  };
}

export const createInProcess = { name: 'create', title: 'A create in process', run, side };
