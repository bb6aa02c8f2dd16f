// A receiver of webhooks in a process of its own: it reads each request and answers 204. Requests to
// /hang get no answer. It counts what it got, by path, and says so when it is asked.
import { createServer } from 'node:http';

const counts = new Map();
const server = createServer((request, response) => {
  const { url } = request;
  request.resume();
  request.on('end', () => {
    counts.set(url, (counts.get(url) ?? 0) + 1);
    if (url !== '/hang') response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ counts: Object.fromEntries(counts) });
  counts.clear();
});
process.once('disconnect', () => process.exit());
