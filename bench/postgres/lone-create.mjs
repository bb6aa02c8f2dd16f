import { migratePostgres } from 'dealwright/postgres';
import { contractor, deal } from '../validation/cases.mjs';
import { createApi, createPool, tenant } from './app.mjs';
import { createPgbench } from './pgbench.mjs';

/**
 * Makes the tables and the contractor, hears which statement a lone create is, and gives it to
 * pgbench.
 */
export async function pgbenchOfLoneCreate({ url, socketUrl }) {
  const pool = createPool(url);
  const sent = [];
  const heard = {
    query: (config) => {
      sent.push(config);
      return pool.query(config);
    },
  };
  (await migratePostgres(pool))._unsafeUnwrap();
  // ids of a high block are no other value of the deal
  await pool.query('update dealwright.ids set next = 123456789');
  const api = createApi(heard);
  (await api.registerContractor(contractor))._unsafeUnwrap();
  (await api.createDeal({ ...deal, partner_id: 'heard' }))._unsafeUnwrap();
  await pool.end();
  const statement = sent.find(({ values = [] }) => values.includes('heard'));
  const isFresh = (value) => value === 'heard' || isUlid(value) || Number(value) >= 123456789;
  const fresh = [...new Set(statement.values.filter(isFresh))];
  return createPgbench(socketUrl, statement, {
    fresh,
    tenant: `${tenant.environment}:${tenant.partner}`,
  });
}

function isUlid(value) {
  return typeof value === 'string' && /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value);
}
