import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer, versions } from './consumer.js';

const [least = '', newest = ''] = [versions.at(0), versions.at(-1)];
let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 300_000);
afterAll(() => consumer?.remove());

it('is tested from the version on that the documents name', () => {
  const page = readFileSync('docs/how-to/install.md', 'utf8');
  expect(/TypeScript (\d+\.\d+) or later/.exec(page)?.[1]).toBe(least);
});

// npm run types tries all versions with all settings
describe.each([least, newest])('TypeScript %s finds no error', { timeout: 300_000 }, (version) => {
  it('in the entry points, and in what drivers are handed over', async () => {
    const settings = { resolution: 'nodenext', skipLibCheck: false, of: 'entry points' } as const;
    expect(await consumer.errors(version, settings)).toEqual([]);
  });

  it('in the snippets and the examples', async () => {
    const settings = { resolution: 'bundler', skipLibCheck: true, of: 'everything' } as const;
    expect(await consumer.errors(version, settings)).toEqual([]);
  });
});
