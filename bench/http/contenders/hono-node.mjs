import { serve } from '@hono/node-server';

/** `@hono/node-server` with a fetch handler that parses a body and writes an answer, no more. */
export function listen() {
  let last = 0;
  const fetch = async (request) => {
    JSON.parse(await request.text());
    last += 1;
    return Response.json({ success: true, data: { id: last, stage_ids: [last] } }, { status: 201 });
  };
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(server));
  });
}
