import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { seed } from '../kit/seed.js';
import { countOf, isLong } from '../tiers.js';
import { createMemoryTarget } from './memory-target.js';
import { runKills } from './run.js';
import { createSqliteTarget } from './sqlite-target.js';

const kills = countOf('KILLS', 8, 80);
/** What is done of deals that nothing moves any more. */
const atRest = (status: string) =>
  `status = '${status}' and partner_id in
     (select partner_id from dealwright_deals where status = 'completed')`;
/** An intent that is never executed, and a request that is never answered. */
const corruptions = [
  `update dealwright_intents set status = 'pending', due_at = null
   where id = (select min(id) from dealwright_intents where ${atRest('done')})`,
  `update dealwright_employer_payments set status = 'requested'
   where id = (select min(id) from dealwright_employer_payments where ${atRest('paid')})`,
];
const slow = { timeout: 600_000 };

/** A connection that waits for the service, which may be writing. */
function open(path: string) {
  const db = new Database(path);
  db.pragma('busy_timeout = 10000');
  return db;
}

describe('SQLite below a service that is killed under load', slow, () => {
  it(`keeps what it acknowledged, whole and once, through ${kills} kills`, async () => {
    const answers = ['propose 201', 'accept-proposal 200', 'add-bonus 200'];
    const figures = await runKills(createSqliteTarget(), { kills, seed, answers });
    expect(figures.kills).toBe(kills);
    // a run without requests under way, or with little work, would prove little
    expect(figures.cutOff).toBeGreaterThan(5 * kills);
    for (const kind of ['contractor', 'deal', 'deal_v2', 'file']) {
      expect(figures.created[kind]).toBeGreaterThan(kills / 4);
    }
    expect(figures.commands).toBeGreaterThan(2 * kills);
    for (const answer of answers) {
      expect(figures.answers.get(answer), answer).toBeGreaterThan(0);
    }
    expect(figures.effects).toBeGreaterThan(kills / 2);
    expect(figures.records).toBeGreaterThan(figures.events);
  });

  const planted = [
    [
      'a deal without its stage',
      'delete from dealwright_stages where id = $id',
      // the load may give it a bonus, which is a stage
      /has no stages|was answered as \{"id":\d+,"stage_ids/,
    ],
    [
      'a stage without its deal',
      `insert into dealwright_stages (tenant, id, partner_id, attempt, name, budget, work_days, status)
       select tenant, 1000000000, 'nobody', attempt, name, budget, work_days, status
       from dealwright_stages where id = $id`,
      '1 stages without their deal',
    ],
    [
      'an event that is not there',
      'delete from dealwright_events where position = 1',
      'its first event is undefined',
    ],
    [
      'a deal that is not there',
      'delete from dealwright_deals where partner_id = (select partner_id from dealwright_stages where id = $id)',
      'was acknowledged, and is gone',
    ],
    [
      'an idempotency record that is not there',
      "delete from dealwright_answers where answer_key like 'deal %'",
      'was answered with 409 deal_exists',
    ],
    [
      'another payment token',
      "update dealwright_deals set payment_token = 'x' where api_version = '2.0'",
      'has another payment token than was answered',
    ],
  ] as const;
  it.each(isLong ? planted : planted.slice(0, 2))('is found out: %s', async (_, sql, problem) => {
    const target = createSqliteTarget();
    const run = runKills(target, {
      kills: 1,
      seed,
      least: 20,
      report() {
        const db = open(target.database);
        const { id } = db.prepare('select min(id) id from dealwright_stages').get() as {
          readonly id: number;
        };
        expect(db.prepare(sql.replace('$id', String(id))).run().changes).toBeGreaterThan(0);
        db.close();
      },
    });
    await expect(run).rejects.toThrow(problem);
  });

  it('is found out: money that moved twice, or that is never moved', async () => {
    const target = createSqliteTarget();
    const run = runKills(target, {
      kills: 1,
      seed,
      least: 80,
      longest: 800,
      async report() {
        const db = open(target.database);
        const done = db.prepare(`select 1 from dealwright_intents where ${atRest('done')}`);
        while (done.get() === undefined) await sleep(20);
        const [effect] = target.effects();
        appendFileSync(target.effectsFile, `${JSON.stringify({ ...effect, id: 'another' })}\n`);
        for (const sql of corruptions) expect(db.prepare(sql).run().changes, sql).toBe(1);
        db.close();
      },
    });
    const found = await run.then(String, String);
    for (const problem of [
      'a second effect for one attempt',
      'cents, and the deal says',
      'is left',
      'is half-way',
    ]) {
      expect(found).toContain(problem);
    }
  });

  it('is found out: a service that keeps nothing', async () => {
    await expect(runKills(createMemoryTarget(), { kills: 1, seed })).rejects.toThrow(
      /seed \d+, after kill 1: .*\n.*was acknowledged, and/,
    );
  });
});
