// Creates deals, a number of them in flight, for a time, in a process of its own.
import { serveContender } from '../contender.mjs';
import { deal } from '../validation/cases.mjs';

const [name, url, ...given] = process.argv.slice(2);
const { createContender } = await import(`./contenders/${name}.mjs`);
const createDeal = await createContender(url, ...given);
let last = 0;

serveContender(async ({ inFlight, milliseconds }) => {
  let created = 0;
  let isOver = false;
  const begin = performance.now();
  const keepCreating = async () => {
    while (!isOver) {
      last += 1;
      await createDeal({ ...deal, partner_id: `${name}-${process.pid}-${last}` });
      if (!isOver) created += 1;
    }
  };
  const all = Promise.all(Array.from({ length: inFlight }, keepCreating));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const perSecond = created / ((performance.now() - begin) / 1000);
  isOver = true;
  await all;
  return { perSecond };
});
