// A receiver of webhooks in a process of its own: it reads each request and answers 204. Requests to
// /hang get no answer. It counts requests and repeated ones, and reports both on request.
import { createServer } from 'node:http';
import { serveContender } from '../contender.mjs';

let received = 0;
let again = 0;
const seen = new Set();
const server = createServer((request, response) => {
  const { url, headers } = request;
  request.resume();
  request.on('end', () => {
    received += 1;
    const id = headers['webhook-id'];
    if (id !== undefined) {
      if (seen.has(url + id)) again += 1;
      seen.add(url + id);
    }
    if (!url.startsWith('/hang')) response.writeHead(204).end();
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
let cpu = process.cpuUsage();

serveContender(() => {
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const answer = { port: server.address().port, received, again, cpu: user + system };
  received = 0;
  again = 0;
  seen.clear();
  return answer;
});
