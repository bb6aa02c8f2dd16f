import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTestStore } from '../adapters/sqlite/database.js';
import { createPorts } from '../kit/ports.js';
import { createTestHandler, serve, tokenOf } from '../kit/service.js';
import { masked } from './masked.js';

interface Example {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without a body, it is a GET. */
  readonly body: string | undefined;
  /** The JSON bodies that the document shows before its next request. */
  readonly shown: readonly string[];
}

/** The curl lines of a document, each with the answers shown after it. */
function examplesOf(document: string): Example[] {
  const [, ...parts] = readFileSync(document, 'utf8').split(/^```sh\ncurl /m);
  return parts.map((part) => {
    const end = part.indexOf('\n```\n');
    const [command, rest] = [part.slice(0, end), part.slice(end)];
    const headers = [...command.matchAll(/-H (["'])([^:]+): (.*?)\1/g)];
    return {
      path: /127\.0\.0\.1:8787([^\s']+)/.exec(command)?.[1] ?? '',
      headers: Object.fromEntries(headers.map(([, , name = '', value = '']) => [name, value])),
      body: /-d '(.*)'/.exec(command)?.[1],
      shown: [...rest.matchAll(/^```json\n(.*)\n```/gm)].map(([, json = '']) => json),
    };
  });
}

describe.each(['docs/tutorial/first-deal.md'])('the requests of %s', (document) => {
  it('are answered as it shows, one after the other', async () => {
    const examples = examplesOf(document);
    expect(examples.length).toBeGreaterThanOrEqual(3);
    const token = tokenOf({ environment: 'sandbox', partner: 'acme' });
    // as npm start keeps them: ids of deals and stages share one sequence there
    const { close: remove, ...store } = createTestStore();
    const { baseUrl, close } = await serve(createTestHandler({ ...createPorts(), store }));
    try {
      for (const { path, headers, body, shown } of examples) {
        const send = async () => {
          const sent = Object.entries(headers).map(([name, value]): [string, string] => [
            name,
            value.replace('$TOKEN', token),
          ]);
          const answer = await fetch(
            baseUrl + path,
            body === undefined ? { headers: sent } : { method: 'POST', headers: sent, body },
          );
          return masked(await answer.text());
        };
        expect(shown.length, `an answer is shown for ${path}`).toBeGreaterThan(0);
        expect(await send()).toContain(masked(shown[0] ?? ''));
        // a second one is the answer to the same request, sent again
        for (const again of shown.slice(1)) expect(await send()).toContain(masked(again));
      }
    } finally {
      await close();
      await remove();
    }
  });
});
