import { migratePostgres } from 'dealwright/postgres';
import { contractor, deal } from '../validation/cases.mjs';
import { createApi, createPool, tenant } from './app.mjs';
import { createPgbench } from './pgbench.mjs';

/** Makes the tables and the contractor, and gives pgbench the statement of a lone create. */
export async function pgbenchOfLoneCreate({ url, socketUrl }) {
  const pool = createPool(url);
  (await migratePostgres(pool))._unsafeUnwrap();
  // ids of a high block equal no other value of the deal
  await pool.query(`update dealwright.ids set next = ${firstId}`);
  (await createApi(pool).registerContractor(contractor))._unsafeUnwrap();
  const { spread, fresh } = await hearLoneCreate(pool);
  await pool.end();
  return createPgbench(socketUrl, spread, {
    fresh,
    tenant: `${tenant.environment}:${tenant.partner}`,
  });
}

const firstId = 123_456_789;

/**
 * Finds the statement of a lone create, and the values that change each time. Those are in one
 * text; `spread` is the same statement with a parameter for each of them.
 */
export async function hearLoneCreate(pool) {
  const sent = [];
  const heard = {
    query: (config) => {
      sent.push(config);
      return pool.query(config);
    },
  };
  const partner_id = `heard-${process.pid}`;
  (await createApi(heard).createDeal({ ...deal, partner_id }))._unsafeUnwrap();
  const statement = sent.find(({ text }) => text.includes('.commit_one_'));
  const [own, attempt, events, all] = statement.values;
  const words = wordsOf(all);
  const isFresh = (value) => value === partner_id || isUlid(value) || Number(value) >= firstId;
  const places = words.map((_, at) => `$${at + 4}`);
  return {
    statement,
    spread: {
      text: statement.text.replace('$4::text', `array[${places.join(', ')}]::text[]::text`),
      values: [own, attempt, events, ...words],
    },
    fresh: [...new Set([attempt, ...words].filter(isFresh))],
  };
}

/** The elements of an array in PostgreSQL's text form. */
function wordsOf(text) {
  const found = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^",]+)/gs);
  return [...found].map(([, quoted, plain]) => {
    if (plain !== undefined) return plain === 'NULL' ? null : plain;
    return quoted.replace(/\\(.)/gs, '$1');
  });
}

function isUlid(value) {
  return typeof value === 'string' && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value);
}
