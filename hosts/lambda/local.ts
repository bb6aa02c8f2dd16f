import { createServer, type IncomingMessage } from 'node:http';
import type { APIGatewayProxyResult, LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import { handler } from './handler.ts';

/** The most bytes of an event, and of an answer, of Lambda. */
const longest = 6 * 1024 * 1024;

/** The event of a request, as an HTTP API of API Gateway makes it, format 2.0. */
async function eventOf(request: IncomingMessage) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const { cookie, ...others } = request.headers;
  const { pathname, search } = new URL(`http://localhost${request.url}`);
  const time = new Date();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    ...(cookie && { cookies: cookie.split('; ') }),
    headers: Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name, String(value)]),
    ),
    requestContext: {
      accountId: '123456789012',
      apiId: 'local',
      authentication: null,
      authorizer: {},
      domainName: String(request.headers.host),
      domainPrefix: 'local',
      http: {
        method: String(request.method),
        path: pathname,
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: String(request.headers['user-agent']),
      },
      requestId: 'local',
      routeKey: '$default',
      stage: '$default',
      time: time.toISOString(),
      timeEpoch: time.getTime(),
    },
    body: pieces.length === 0 ? null : Buffer.concat(pieces).toString('base64'),
    isBase64Encoded: pieces.length > 0,
  };
}

/** Stands in for API Gateway on this machine: `npm start` tries the function without AWS. */
const server = createServer(async (request, response) => {
  const event = await eventOf(request);
  if (JSON.stringify(event).length > longest) {
    response.writeHead(413, { 'content-type': 'application/json' });
    response.end('{"message":"Request Entity Too Large"}');
    return;
  }
  const answer = (await handler(
    event as LambdaEvent,
    {} as LambdaContext,
  )) as APIGatewayProxyResult;
  if (JSON.stringify(answer).length > longest) {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end('{"message":"Internal Server Error"}');
    return;
  }
  const { statusCode, headers, body, isBase64Encoded } = answer;
  response.writeHead(statusCode, headers as Record<string, string>);
  response.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
});

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
