import { expect, it } from 'vitest';
import { event } from '../../adapters/http/wire/event-answers.js';
import { eventShapes } from '../../adapters/http/wire/event-shapes.js';
import { eventSections } from './event-pages.js';
import { filled } from './filled.js';

const path = new URL('../../docs/reference/events.md', import.meta.url).pathname;

// npx vitest run test/docs/events.test.ts -u writes the page anew
it('docs/reference/events.md has every type of the table', async () => {
  await expect(filled(path, { events: eventSections() })).toMatchFileSnapshot(path);
});

it('the example of every event has all that is always there, and nothing that is not told of', () => {
  for (const [type, { forms }] of Object.entries(eventShapes)) {
    for (const { always, maybe, example } of forms) {
      const names = Object.keys(example);
      expect([type, names]).toEqual([type, expect.arrayContaining(Object.keys(always))]);
      const all = Object.keys({ ...always, ...maybe });
      expect([type, names.filter((name) => !all.includes(name))]).toEqual([type, []]);
    }
  }
});

it('the page names every member of an event', () => {
  const page = filled(path, {});
  for (const name of Object.keys(event)) expect(page).toContain(`| \`${name}\` |`);
});
