import { createServer } from 'node:http';

/** The ceiling: node:http that parses a body and writes an answer, and does nothing else. */
export function listen() {
  let last = 0;
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      JSON.parse(bytes.toString());
      last += 1;
      const text = JSON.stringify({ success: true, data: { id: last, stage_ids: [last] } });
      response.writeHead(201, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
