import { createPool } from '../app.mjs';
import { hearLoneCreate } from '../lone-create.mjs';

/** node-postgres alone, sending the statement of a lone create: the cost of the driver. */
export async function createContender(url) {
  const pool = createPool(url);
  const { statement, fresh } = await hearLoneCreate(pool);
  const { name, text } = statement;
  return async () => {
    const drawn = fresh.map((value) => [value, String(1 + Math.floor(Math.random() * 1e15))]);
    const values = statement.values.map((value) =>
      drawn.reduce((text, [old, next]) => String(text).replaceAll(old, next), value),
    );
    const { rows } = await pool.query({ name, text, values });
    if (rows[0].answer !== 'null') throw new Error(`not created: ${rows[0].answer}`);
  };
}
