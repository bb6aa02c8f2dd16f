import { startContender } from '../contender.mjs';
import { table, verdict } from '../report.mjs';
import { median, medianRatio } from '../statistics.mjs';

const depth = 1_000_000;
const pages = 50;
const rounds = 41;
const pageSize = 100;
// pages are left at the depth of each list
const size = depth + 2 * pages * pageSize;

const lists = [
  { name: 'all deals', filter: {}, depth },
  {
    name: 'those of one status, every second one',
    filter: { status: 'accepted' },
    depth: depth / 2,
  },
  {
    name: 'those of one freelancer, every hundredth',
    filter: { email_freelancer: 'rare@example.com' },
    depth: pages * pageSize,
  },
];
/** The list that is compared with that of all deals; its deals lie far apart in memory. */
const sparse = 2;
const sparseTarget = 3;

async function run() {
  const worker = startContender(new URL('./worker.mjs', import.meta.url), [String(size)], {
    execArgv: ['--expose-gc'],
  });
  const figures = lists.map(() => ({ first: [], deep: [] }));
  try {
    // round 0 warms up, and reads all the pages up to the depth
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, { filter, depth: deep }] of lists.entries()) {
        const sides = [
          ['first', 0],
          ['deep', deep],
        ];
        // so that neither is always the second
        for (const [side, at] of round % 2 === 0 ? sides : sides.reverse()) {
          const microseconds = await worker.ask({ filter, depth: at, pages });
          if (round > 0) figures[index][side].push(microseconds);
        }
      }
    }
  } finally {
    worker.stop();
  }
  return report(figures);
}

function report(figures) {
  const microseconds = (values) => `${median(values).toFixed(0)} us`;
  const rows = lists.map(({ name, depth: deep }, index) => {
    const { first, deep: far } = figures[index];
    const ratio = `${medianRatio(far, first).toFixed(2)}x`;
    return [name, microseconds(first), deep.toLocaleString('en'), microseconds(far), ratio];
  });
  const targets = lists.map(({ name }, index) => {
    const ratio = medianRatio(figures[index].deep, figures[index].first);
    return `- ${name}: ${ratio.toFixed(2)}x at depth against the first pages (target: 1.2; ${verdict(ratio <= 1.2)}).`;
  });
  const toAll = medianRatio(figures[sparse].first, figures[0].first);
  targets.push(
    `- ${lists[sparse].name}: ${toAll.toFixed(2)}x of a page of all deals (target: ${sparseTarget}; ${verdict(toAll <= sparseTarget)}).`,
  );
  return `\`listDeals\` in process and in memory, ${pageSize} deals a page. Each round reads ${pages} pages, one after the
other by their cursors: the first of the list, and those at a depth, the number of deals before them.
${size.toLocaleString('en')} deals in the store, ${rounds} rounds; CPU time. The first list with a new kind of filter reads all
deals once, which is not measured. A page takes longer if its deals are far apart in memory, as with a rare filter.

${table(['', 'a first page', 'depth', 'a page there', 'against first'], rows)}

${targets.join('\n')}
`;
}

export const listAtDepth = { name: 'list', title: 'A page of a list, at any depth', run };
