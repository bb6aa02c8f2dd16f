import { serveContender } from '../contender.mjs';
import { deal } from '../validation/cases.mjs';

const { createContender } = await import(`./${process.argv[2]}.mjs`);

/** Bodies as a server gets them: each parsed from its own JSON, each with its own id. */
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
