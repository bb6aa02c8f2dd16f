import { createClient, eachDeal } from 'dealwright/client';
import { contractor, deal, dealV2 } from '../../kit/requests.js';

// put in when this is bundled, so that no runtime's way to read arguments is needed
declare const baseUrl: string;
declare const token: string;

const bytes = new TextEncoder().encode('Once upon a time');
async function* iterable(): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 5);
  yield bytes.subarray(5);
}

let attempts = 0;
const api = createClient({
  baseUrl,
  token,
  retryBase: 1,
  // the first attempt of each create is lost on its way back
  async fetch(url, request) {
    const response = await fetch(url, request);
    attempts += 1;
    if (attempts === 2) throw new TypeError('the connection is gone');
    return response;
  },
});

const seen: unknown[] = [];
seen.push((await api.registerContractor(contractor))._unsafeUnwrap());
const { id } = (await api.createDeal(deal))._unsafeUnwrap();
seen.push(attempts);
for (const content of [bytes, new Blob([bytes]), new Blob([bytes]).stream(), iterable()]) {
  for (const isWatched of [false, true]) {
    if (isWatched && !(content instanceof Blob)) continue;
    let sent = 0;
    const onProgress = (progress: { sent: number }) => {
      sent = progress.sent;
    };
    const options = isWatched ? { onProgress } : {};
    const stored = await api.uploadFile(id, { name: 'ż".txt', content }, options);
    const { name, size, sha256 } = stored._unsafeUnwrap();
    seen.push([name, size, sha256.slice(0, 8), sent]);
  }
}
seen.push((await api.retrieveDeal(id))._unsafeUnwrap().stages[0]?.work_files.length);
await api.createDealV2({ ...dealV2, partner_id: '..' });
seen.push((await api.retrieveDealDetails('..'))._unsafeUnwrap().partner_id);
for await (const each of eachDeal(api, { page_size: 1 }))
  seen.push(each._unsafeUnwrap().partner_id);
seen.push((await api.listCategories({ language: 'pl' }))._unsafeUnwrap().length > 0);
seen.push((await api.listCategoryTree())._unsafeUnwrap().length > 0);
const controller = new AbortController();
controller.abort();
const stopped = await api.listCategories({ signal: controller.signal });
seen.push(stopped._unsafeUnwrapErr().code);
const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', token, attempts: 1 });
seen.push((await nobody.createDeal(deal))._unsafeUnwrapErr().code);
console.log(JSON.stringify(seen));
