// @ts-check
// The service as a user of the package starts it, with a gateway that writes down each effect
// before it says that the money has moved. Its business time runs fast, so that the work of a
// killed process is due again within milliseconds.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ok } from 'neverthrow';

/** @param {string} name */
const built = (name) => import(pathToFileURL(join('dist', 'adapters', 'cli', `${name}.js`)).href);
/** @type {typeof import('../../adapters/cli/service.js')} */
const { createServiceBackEnd, createServiceServer } = await built('service');
/** @type {typeof import('../../adapters/cli/settings.js')} */
const { parseSettings } = await built('settings');
/** @type {typeof import('../../adapters/cli/store/open-store.js')} */
const { openStore } = await built('store/open-store');

const [memory, effects = '', began = ''] = process.argv.slice(2);
const settings = parseSettings(process.env, memory === 'memory' ? { memory: true } : {});
if (settings.isErr()) throw new Error(settings.error.join());
const opened = await openStore(process, settings.value.place, true);
if (opened.isErr()) throw new Error(opened.error.message);
const { ports, where } = opened.value;

const file = openSync(effects, 'a');
process.once('exit', () => closeSync(file));
/** @type {import('dealwright/ports').PaymentGateway} */
const payments = {
  executes: () => true,
  async execute(tenant, effect) {
    writeSync(file, `${JSON.stringify({ partner: tenant.partner, ...effect })}\n`);
    fsyncSync(file);
    // a moment in which the money has moved, but no record says so
    await sleep(15);
    const { id: reference, kind, amount } = effect;
    return ok([
      kind === 'refund' ? { status: 'refunded', amount, reference } : { status: 'paid', reference },
    ]);
  },
};
const clock = { now: () => Number(began) + (Date.now() - Number(began)) * 3000 };
/** @param {object} line */
const log = (line) => process.stderr.write(`${JSON.stringify(line)}\n`);
const { tokens = [] } = settings.value;
const backEnd = createServiceBackEnd(Object.assign({ payments, clock }, ports), settings.value, {
  tokens,
  log,
});
const server = createServiceServer(backEnd);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`Dealwright listens on http://127.0.0.1:${port} (${where})\n`);
});

const operator = backEnd.marketplace.operator('sandbox');
for (;;) {
  for (const run of [operator.runTimers, operator.runEffects]) {
    const ran = await run();
    // a database that is being killed is not a fault of the service
    if (ran.isErr()) log({ level: 'error', code: ran.error.code, cause: String(ran.error.cause) });
  }
  await sleep(10);
}
