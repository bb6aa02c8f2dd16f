// Posts to a server with a certificate for partner.example, which this process trusts.
import { createWebhookSender } from 'dealwright/webhooks';

const [port] = process.argv.slice(2);
const sender = createWebhookSender({ allowPrivate: true, resolve: async () => ['127.0.0.1'] });
const message = { id: '1', timestamp: 1, body: '{}', secrets: ['whsec_YQ=='] };
const names = [
  'partner.example',
  'partner.example',
  'partner.example.',
  'other.example',
  '127.0.0.1',
];
const replies = [];
for (const name of names) {
  const sent = await sender.send('production', { ...message, url: `https://${name}:${port}/` });
  replies.push(sent._unsafeUnwrap());
}
process.stdout.write(JSON.stringify(replies));
