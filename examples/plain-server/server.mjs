import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Service } from './service.mjs';

const options = { port: { type: 'string' }, token: { type: 'string', multiple: true } };
const { port = '8080', token: texts = [] } = parseArgs({ options }).values;

const tokens = texts.map((text) => {
  const [, token, environment, partner] = /^(\S+)=(production|sandbox):([^=]+)$/.exec(text) ?? [];
  if (token === undefined) throw new TypeError('--token takes <token>=<environment>:<partner>');
  return { token, environment, partner };
});

const service = new Service(tokens);
const server = createServer((request, response) => service.answer(request, response));
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});

process.once('SIGTERM', () => {
  server.close();
  // a request that is under way has a second to end
  setTimeout(() => server.closeAllConnections(), 1000).unref();
});
