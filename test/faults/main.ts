import { parseArgs } from 'node:util';
import { createPostgresTarget } from './postgres-target.js';
import { postgresPlace, sqlitePlace } from './relays/places.js';
import { runRelayKills } from './relays/run.js';
import { runKills } from './run.js';
import { createSqliteTarget } from './sqlite-target.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '100' },
    relays: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [kills, seed] = [Number(values.kills), Number(values.seed)];
const isPostgres = values.store === 'postgres';
if (!(kills >= 1 && seed >= 0) || !(isPostgres || values.store === 'sqlite')) {
  throw new TypeError('--kills and --seed are numbers, and --store is sqlite or postgres');
}
const begun = performance.now();
process.stdout.write(`${values.store}, seed ${seed}\n`);
if (values.relays) {
  const place = isPostgres ? await postgresPlace() : sqlitePlace();
  const figures = await runRelayKills(place, { kills, seed });
  await place.close();
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  process.exit(figures.lost + figures.outOfOrder === 0 ? 0 : 1);
}
const target = isPostgres ? await createPostgresTarget() : createSqliteTarget();
const figures = await runKills(target, {
  kills,
  seed,
  report: (done) => done % 20 === 0 && process.stdout.write(`${done} ...\n`),
});
const { created, cutOff, doneThough, events, records, answers } = figures;
const seconds = (performance.now() - begun) / 1000;
process.stdout.write(
  [
    `${kills} kills in ${seconds.toFixed(0)} s: nothing acknowledged was lost, twice or half`,
    ...Object.entries(created).map(([kind, count]) => `${kind}: ${count} there in the end`),
    `${cutOff} requests cut off, of which ${doneThough} had done their work`,
    `${figures.commands} commands acknowledged`,
    `${figures.effects} effects, ${figures.effectsAgain} asked for again`,
    `${events} events, ${records} records`,
    ...[...answers].sort().map(([what, count]) => `${what}: ${count}`),
    '',
  ].join('\n'),
);
process.exit();
