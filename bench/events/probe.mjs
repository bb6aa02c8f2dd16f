import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createDealwright } from 'dealwright/host';
import { createMemoryStore } from 'dealwright/memory';
import { createSealedSecrets, createWebhookSender } from 'dealwright/webhooks';
const receiver = fork('/work/main/bench/events/receiver.mjs');
const [{ port }] = await once(receiver, 'message');
const ask = async () => { receiver.send('counts'); return (await once(receiver, 'message'))[0].counts; };
const n = Number(process.argv[2] ?? 4), events = Number(process.argv[3] ?? 4000);
const store = createMemoryStore();
const { marketplace } = createDealwright({ store, webhooks: createWebhookSender({ allowPrivate: true }), secrets: createSealedSecrets({ k1: 'A'.repeat(43) }) });
const api = marketplace.partner({ environment: 'sandbox', partner: 'acme' });
for (let i = 0; i < n; i++) (await api.createWebhook({ url: `http://127.0.0.1:${port}/${i}` }))._unsafeUnwrap();
for (let i = 0; i < events; i++) (await api.createDealV2({ partner_id: `d${i}`, email_freelancer: 'a@example.com', title: 'T', description: 'D', subcategory_id: 75, amount: '100.00', currency: 'EUR', copyright_transfer: 'none', freelancer_language: 'en' }))._unsafeUnwrap();
const page = (await api.listEvents({ type: 'deal.created' }))._unsafeUnwrap();
const body = JSON.stringify(page.results[0]);
async function bare(total) {
  const t = performance.now(); let left = total;
  await Promise.all(Array.from({ length: 64 }, async () => { while (left-- > 0) { const r = await fetch(`http://127.0.0.1:${port}/bare`, { method: 'POST', body, headers: { 'content-type': 'application/json', 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' } }); await r.arrayBuffer(); } }));
  return total / ((performance.now() - t) / 1000);
}
await bare(2000);
console.log('bare', Math.round(await bare(10000)));
const c0 = process.cpuUsage();
const t = performance.now();
const relay = marketplace.relayWebhooks({ onFailure: console.error });
for (;;) {
  await new Promise((r) => setTimeout(r, 100));
  const { results } = (await api.listWebhooks())._unsafeUnwrap(), all = [];
  let done = true;
  for (let i = 0; i < n; i++) { }
  const list = await store.records.list({ environment: 'sandbox', partner: 'acme' }, 'consumer', { direction: 'ascending', limit: 1000 });
  if (list.value.every(c => Number(c.position) >= events + n)) break;
}
const s = (performance.now() - t) / 1000; const c1 = process.cpuUsage(c0);
console.log('ours', Math.round(n * events / s), 'per s; cpu', ((c1.user + c1.system) / 1e6 / s).toFixed(2));
console.log(await ask().then(c => Object.values(c).reduce((a, b) => a + b, 0)));
console.log('bare', Math.round(await bare(10000)));
await relay.stop(); process.exit();
