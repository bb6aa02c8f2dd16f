import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { chromium } from 'playwright-core';

// passes requests over HTTP to the service in a page of Chromium, so that a test can call it
const port = Number(process.env.PORT ?? 3000);
const code = readFileSync('dist/page.js', 'utf8');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage();

/** Runs in the page. */
const answer = async ({ url, method, headers, body }) => {
  const bytes = Uint8Array.from(atob(body), (sign) => sign.charCodeAt(0));
  const isBody = !['GET', 'HEAD'].includes(method);
  const request = new Request(url, { method, headers, ...(isBody && { body: bytes }) });
  // a page drops some headers of a Request, such as Cookie and Origin
  Object.defineProperty(request, 'headers', { value: new Headers(headers) });
  const response = await globalThis.deals(request, { headers: new Headers(headers) });
  const read = new FileReader();
  const content = new Promise((resolve) => {
    read.onload = () => resolve(read.result.replace(/^[^,]*,/, ''));
  });
  read.readAsDataURL(await response.blob());
  return { status: response.status, headers: [...response.headers], body: await content };
};

const server = createServer(async (request, response) => {
  if (request.url === '/page.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
  } else if (!request.url.startsWith('/deals/')) {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      '<!doctype html><p>This page is of Chromium itself.</p><script type="module" src="/page.js"></script>',
    );
  } else {
    const { method, headers } = request;
    await loaded;
    const body = (await buffer(request)).toString('base64');
    const url = `http://127.0.0.1:${port}${request.url}`;
    const { status, ...answered } = await page.evaluate(answer, { url, method, headers, body });
    response.writeHead(status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(answered.body, 'base64'));
  }
});
server.listen(port, '127.0.0.1', () => {
  console.log(`The deals are at http://127.0.0.1:${port}/deals`);
});
const loaded = page.goto(`http://127.0.0.1:${port}/`);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => browser.close().finally(() => process.exit()));
}
