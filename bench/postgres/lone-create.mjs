import { migratePostgres } from 'dealwright/postgres';
import { contractor, deal } from '../validation/cases.mjs';
import { createApi, createPool, tenant } from './app.mjs';
import { createPgbench } from './pgbench.mjs';

/** Makes the tables and the contractor, and gives pgbench the statement that a lone create is. */
export async function pgbenchOfLoneCreate({ url, socketUrl }) {
  const pool = createPool(url);
  (await migratePostgres(pool))._unsafeUnwrap();
  // ids of a high block are no other value of the deal
  await pool.query(`update dealwright.ids set next = ${firstId}`);
  (await createApi(pool).registerContractor(contractor))._unsafeUnwrap();
  const { statement, fresh } = await hearLoneCreate(pool);
  await pool.end();
  return createPgbench(socketUrl, statement, {
    fresh,
    tenant: `${tenant.environment}:${tenant.partner}`,
  });
}

const firstId = 123_456_789;

/** Hears which statement a lone create is, and which of its values are others each time. */
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
  const statement = sent.find(({ values = [] }) => values.includes(partner_id));
  const isFresh = (value) => value === partner_id || isUlid(value) || Number(value) >= firstId;
  return { statement, fresh: [...new Set(statement.values.filter(isFresh))] };
}

function isUlid(value) {
  return typeof value === 'string' && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value);
}
