import { createApi, createPool } from '../app.mjs';

/** Creating a deal through the library: validated, judged, stored. */
export async function createContender(url, gather) {
  const api = createApi(createPool(url), gather === 'alone' ? { gather: false } : {});
  return async (input) => {
    const created = await api.createDeal(input);
    if (created.isErr()) throw new Error(`not created: ${JSON.stringify(created.error)}`);
  };
}
