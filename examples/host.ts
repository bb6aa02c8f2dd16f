// The host: mounts the handler in its own server, and hears every request.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDealwright } from 'dealwright/host';
import { createNodeListener } from 'dealwright/node';

export async function runHost(print: (line: string) => void): Promise<void> {
  const { handler } = createDealwright({
    apiTokens: [['host-example-token', { environment: 'sandbox', partner: 'acme' }]],
    onRequest: ({ partner, operation, status }) => print(`${partner} ${operation} ${status}`),
    onError: ({ request_id, port, cause }) => print(`${request_id} ${port} ${cause}`),
  });
  const server = createServer(createNodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const response = await fetch(`http://127.0.0.1:${port}/api/2.0/deal/`, {
    method: 'POST',
    headers: {
      Authorization: 'Token host-example-token',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      partner_id: 'order-1',
      email_freelancer: 'freelancer@example.com',
      title: 'Landing page',
      description: 'Texts for a landing page',
      subcategory_id: 75,
      amount: '500.00',
      currency: 'PLN',
      copyright_transfer: 'full_transfer',
      freelancer_language: 'pl',
    }),
  });
  const { data } = (await response.json()) as { data: { status: string } };
  print(`the deal is ${data.status}`);

  server.close();
  await once(server, 'close');
}
