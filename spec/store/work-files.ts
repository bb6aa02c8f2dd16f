import type { Tenant } from '../../src/domain/tenant.js';
import type { WorkFile } from '../../src/domain/work-file.js';
import { check, equal } from '../expectations.js';
import { changed, changeOf } from './changes.js';
import { createDeal } from './deals.js';
import {
  acme,
  acmeLive,
  addition,
  additionV2,
  allEvents,
  ask,
  type DefineCase,
  dealEvent,
  fileAddition,
  globex,
  nextId,
  registration,
  type StoreSubject,
  scribble,
  workFileOf,
} from './subject.js';

const key = { key: 'Key', fingerprint: 'first' };
const stored = { outcome: 'stored' };
const stale = { outcome: 'stale' };
const missing = { outcome: 'missing' };

/** A store with a deal of two stages. */
async function dealWithStages(store: StoreSubject, tenant = acme) {
  await ask(store.contractors.add(tenant, registration(tenant)));
  const { id, stage_ids } = await createDeal(store, tenant);
  const [first = 0, second = 0] = stage_ids;
  return { id, first, second };
}

const recorded = async ({ deals }: StoreSubject, tenant: Tenant, ids: readonly string[]) =>
  [...(await ask(deals.recordedWorkFiles(tenant, ids)))].sort();

/** What `DealRepository` promises of work files. */
export function workFiles(define: DefineCase): void {
  define('appends a file to its stage, with its events', async (store) => {
    const { id, first, second } = await dealWithStages(store);
    const before = await allEvents(store, acme);
    const deal = (await ask(store.deals.byId(acme, id)))?.value;
    const files = [workFileOf(second), workFileOf(first), workFileOf(second)];
    const [one, two, three] = files as [WorkFile, WorkFile, WorkFile];
    const given = fileAddition(acme, id, 1, one);
    const twice = { ...given, events: [...given.events, dealEvent(acme, 'deal', 3)] };
    equal(await ask(store.deals.addWorkFile(acme, twice)), stored, 'the first file');
    const next = fileAddition(acme, id, 3, two);
    equal(await ask(store.deals.addWorkFile(acme, next)), stored, 'the second');
    const last = fileAddition(acme, id, 4, three);
    equal(await ask(store.deals.addWorkFile(acme, last)), stored, 'the third');

    const stages = deal?.stages.map((stage, at) => ({
      ...stage,
      work_files: at === 0 ? [two] : [one, three],
    }));
    const expected = { value: { ...deal, stages }, version: 5 };
    equal(await ask(store.deals.byId(acme, id)), expected, 'by id');
    equal(await ask(store.deals.byPartnerId(acme, 'deal')), expected, 'by partner_id');
    const indexed = await ask(store.dealIndex.byPartnerId(acme, 'deal'));
    equal(indexed, { api_version: '1.0', ...expected }, 'in the index');
    const events = [...twice.events, ...next.events, ...last.events];
    equal(await allEvents(store, acme), [...before, ...events], 'the events');
    equal(
      await recorded(
        store,
        acme,
        files.map((file) => file.id),
      ),
      files.map((file) => file.id).sort(),
      'recorded',
    );
  });

  define('refuses a file for a version that is not the stored one', async (store) => {
    const { id, first } = await dealWithStages(store);
    const before = await allEvents(store, acme);
    const file = workFileOf(first);
    for (const version of [0, 2, 3]) {
      const given = fileAddition(acme, id, version, file, key);
      equal(await ask(store.deals.addWorkFile(acme, given)), stale, `the version ${version}`);
    }
    equal((await ask(store.deals.byId(acme, id)))?.version, 1, 'the version');
    equal(await allEvents(store, acme), before, 'no event more');
    equal(await recorded(store, acme, [file.id]), [], 'nothing is recorded');
    const good = fileAddition(acme, id, 1, file, { ...key, fingerprint: 'other' });
    equal(await ask(store.deals.addWorkFile(acme, good)), stored, 'the key is free');
    const again = fileAddition(acme, id, 1, workFileOf(first));
    equal(await ask(store.deals.addWorkFile(acme, again)), stale, 'a second of the same version');
    equal((await ask(store.deals.byId(acme, id)))?.version, 2, 'one version more');
  });

  define('finds no deal to add a file to elsewhere', async (store) => {
    const { id, first } = await dealWithStages(store);
    const file = workFileOf(first);
    for (const tenant of [globex, acmeLive, { ...acme, partner: 'ACME' }]) {
      const given = fileAddition(tenant, id, 1, file, key);
      equal(await ask(store.deals.addWorkFile(tenant, given)), missing, 'another tenant');
      equal(await allEvents(store, tenant), [], 'no event there');
      equal(await recorded(store, tenant, [file.id]), [], 'nothing is recorded there');
    }
    for (const none of [id + 1000, 0, -1, Number.MAX_SAFE_INTEGER]) {
      const given = fileAddition(acme, none, 1, file, key);
      equal(await ask(store.deals.addWorkFile(acme, given)), missing, `the deal ${none}`);
    }
    equal(await recorded(store, acme, [file.id]), [], 'nothing is recorded');
    const good = fileAddition(acme, id, 1, file, key);
    equal(await ask(store.deals.addWorkFile(acme, good)), stored, 'the key is free');
  });

  define('judges the key of a file before its deal and its version', async (store) => {
    const { id, first, second } = await dealWithStages(store);
    const file = workFileOf(first);
    await ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 1, file, key)));
    const before = await allEvents(store, acme);
    const answer = {
      outcome: 'exists',
      by: 'idempotency_key',
      first: { fingerprint: 'first', file },
    };
    const retry = workFileOf(second);
    for (const deal_id of [id, id + 1000]) {
      for (const version of [0, 1, 2, 9]) {
        const other = { key: 'Key', fingerprint: 'second' };
        const given = fileAddition(acme, deal_id, version, retry, other);
        equal(await ask(store.deals.addWorkFile(acme, given)), answer, 'the first answer');
      }
    }
    equal((await ask(store.deals.byId(acme, id)))?.version, 2, 'the version');
    equal(await allEvents(store, acme), before, 'no event more');
    equal(await recorded(store, acme, [file.id, retry.id]), [file.id], 'one file');
    const lower = fileAddition(acme, id, 2, retry, { key: 'key', fingerprint: 'first' });
    equal(await ask(store.deals.addWorkFile(acme, lower)), stored, 'keys are compared exactly');
  });

  define('keeps keys of files apart from keys of deals, and of tenants', async (store) => {
    const { id, first } = await dealWithStages(store);
    await ask(store.contractors.add(acmeLive, registration(acmeLive)));
    const given = fileAddition(acme, id, 1, workFileOf(first), key);
    equal(await ask(store.deals.addWorkFile(acme, given)), stored, 'a file');
    const deal = await ask(store.deals.add(acme, addition(acme, 'second', key)));
    equal(deal.outcome, 'created', 'a deal with the same key');
    const dealV2 = await ask(store.dealsV2.add(acme, additionV2(acme, 'third', key)));
    equal(dealV2.outcome, 'exists', 'which deals share');
    for (const tenant of [globex, acmeLive]) {
      const own = await createDeal(store, tenant, 'deal', key);
      const file = workFileOf(own.stage_ids[0] ?? 0);
      const theirs = fileAddition(tenant, own.id, 1, file, key);
      equal(await ask(store.deals.addWorkFile(tenant, theirs)), stored, 'another tenant');
      equal(await recorded(store, tenant, [file.id, given.file.id]), [file.id], 'its own file');
    }
  });

  define('keeps files through saves, and the first answer too', async (store) => {
    const { id, first } = await dealWithStages(store);
    const file = workFileOf(first);
    await ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 1, file, key)));
    const read = await ask(store.deals.byId(acme, id));
    check(read !== undefined, 'the deal is there');
    const old = changeOf(acme, read.value, 1);
    equal(await ask(store.deals.save(acme, old)), 'stale', 'a save of the version before the file');
    const change = changeOf(acme, read.value, 2);
    equal(await ask(store.deals.save(acme, change)), 'saved', 'a save');
    const expected = { value: changed(read.value, change), version: 3 };
    equal(await ask(store.deals.byId(acme, id)), expected, 'the deal');
    equal(await recorded(store, acme, [file.id]), [file.id], 'still recorded');
    const more = workFileOf(first);
    equal(
      await ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 3, more))),
      stored,
      'more',
    );
    const files = (await ask(store.deals.byId(acme, id)))?.value.stages[0]?.work_files;
    equal(files, [file, more], 'both files');
    const retry = fileAddition(acme, id, 4, workFileOf(first), key);
    const answer = await ask(store.deals.addWorkFile(acme, retry));
    equal('first' in answer && answer.first.file, file, 'the first answer');
  });

  define('tells which contents a file names', async (store) => {
    const { id, first } = await dealWithStages(store);
    const files = Array.from({ length: 5 }, () => workFileOf(first));
    for (const [index, file] of files.entries()) {
      await ask(store.deals.addWorkFile(acme, fileAddition(acme, id, index + 1, file)));
    }
    const ids = files.map((file) => file.id);
    const strange = [nextId(), '', "'; --", '%', ids[0]?.toLowerCase() ?? ''];
    equal(await recorded(store, acme, [...strange, ...ids]), [...ids].sort(), 'those alone');
    equal(await recorded(store, acme, ids.slice(1, 3)), ids.slice(1, 3).sort(), 'those asked for');
    equal(await recorded(store, acme, []), [], 'none of none');
    const page = [...Array.from({ length: 95 }, () => nextId()), ...ids];
    equal(await recorded(store, acme, page), [...ids].sort(), 'of a hundred, which the core asks');
    equal(await recorded(store, globex, ids), [], 'nothing of another');
  });

  define('keeps and hands out copies of files', async (store) => {
    const { id, first } = await dealWithStages(store);
    const given = fileAddition(acme, id, 1, { ...workFileOf(first) }, { ...key });
    const expected = { ...given.file };
    const outcome = await ask(store.deals.addWorkFile(acme, given));
    for (const each of [given, outcome]) scribble(each);
    const retry = () =>
      ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 2, expected, key)));
    const read = async () => (await ask(store.deals.byId(acme, id)))?.value.stages[0]?.work_files;
    for (let time = 0; time < 2; time += 1) {
      const answer = await retry();
      equal('first' in answer && answer.first, { fingerprint: 'first', file: expected }, 'first');
      const files = await read();
      equal(files, [expected], 'the files');
      for (const each of [answer, files]) scribble(each);
      scribble(await ask(store.deals.recordedWorkFiles(acme, [expected.id])));
    }
    equal((await allEvents(store, acme)).at(-1)?.type, 'work_file.stored', 'the event');
    equal(await recorded(store, acme, [expected.id]), [expected.id], 'recorded');
  });

  define('of 40 files for the same version one wins', async (store) => {
    const { id, first } = await dealWithStages(store);
    const before = await allEvents(store, acme);
    const files = Array.from({ length: 40 }, () => workFileOf(first));
    const outcomes = await Promise.all(
      files.map((file) => ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 1, file)))),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 1, 'the winners');
    equal(outcomes.filter(({ outcome }) => outcome === 'stale').length, 39, 'the losers');
    const winner = files[outcomes.findIndex(({ outcome }) => outcome === 'stored')];
    const read = await ask(store.deals.byId(acme, id));
    equal([read?.version, read?.value.stages[0]?.work_files], [2, [winner]], "the winner's file");
    equal((await allEvents(store, acme)).length, before.length + 1, 'one event more');
    equal(
      await recorded(
        store,
        acme,
        files.map((file) => file.id),
      ),
      [winner?.id],
      'one is recorded',
    );
  });

  define('of 40 files with one key one wins, and the others get its answer', async (store) => {
    const { id, first } = await dealWithStages(store);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () =>
        ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 1, workFileOf(first), key))),
      ),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 1, 'the winners');
    const losers = outcomes.filter(({ outcome }) => outcome !== 'stored');
    const file = (await ask(store.deals.byId(acme, id)))?.value.stages[0]?.work_files[0];
    const answer = {
      outcome: 'exists',
      by: 'idempotency_key',
      first: { fingerprint: 'first', file },
    };
    for (const loser of losers) equal(loser, answer, "the winner's answer");
  });

  define('of 20 files with one key for two deals one wins', async (store) => {
    const { id, first } = await dealWithStages(store);
    const other = await createDeal(store, acme, 'other');
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const [deal_id, stage_id] = index % 2 === 0 ? [id, first] : [other.id, other.stage_ids[0]];
        const file = workFileOf(stage_id ?? 0);
        return ask(store.deals.addWorkFile(acme, fileAddition(acme, deal_id, 1, file, key)));
      }),
    );
    equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 1, 'the winners');
    const losers = outcomes.filter(({ outcome }) => outcome !== 'stored');
    for (const loser of losers) equal(loser, losers[0], 'one answer');
    const versions = [
      (await ask(store.deals.byId(acme, id)))?.version,
      (await ask(store.deals.byId(acme, other.id)))?.version,
    ];
    equal(versions.sort(), [1, 2], 'one deal has a file');
  });

  define('a file and a save of the same version: one of them wins', async (store) => {
    const { id, first } = await dealWithStages(store);
    const deal = (await ask(store.deals.byId(acme, id)))?.value;
    check(deal !== undefined, 'the deal is there');
    const file = workFileOf(first);
    const [added, saved] = await Promise.all([
      ask(store.deals.addWorkFile(acme, fileAddition(acme, id, 1, file))),
      ask(store.deals.save(acme, changeOf(acme, deal, 1))),
    ]);
    check((added.outcome === 'stored') !== (saved === 'saved'), 'one wins');
    const read = await ask(store.deals.byId(acme, id));
    const files = added.outcome === 'stored' ? [file] : [];
    const status = saved === 'saved' ? 'accepted' : 'created';
    equal([read?.value.stages[0]?.work_files, read?.value.status], [files, status], 'the deal');
  });
}
