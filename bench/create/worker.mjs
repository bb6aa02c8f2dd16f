import { serveContender } from '../contender.mjs';
import { deal } from '../validation/cases.mjs';

const { createContender } = await import(`./${process.argv[2]}.mjs`);

/** Bodies as a server meets them: each parsed from JSON of its own, each with an id of its own. */
function bodies(count) {
  return Array.from({ length: count }, (_, index) => {
    const partner_id = `deal-${String(index).padStart(9, '0')}`;
    return JSON.parse(JSON.stringify({ ...deal, partner_id }));
  });
}

serveContender(async ({ count }) => {
  const inputs = bodies(count);
  const { createDeal, idOf } = await createContender();
  globalThis.gc?.();
  const begin = process.hrtime.bigint();
  for (let index = 0; index < count; index += 1) {
    const created = await createDeal(inputs[index]);
    if (!(idOf(created) > index)) throw new Error(`deal ${index} was not created`);
  }
  return Number(process.hrtime.bigint() - begin) / count;
});
