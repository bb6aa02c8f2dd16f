import { expect, it } from 'vitest';
import { eventExamples } from '../../adapters/http/openapi/examples.js';
import { postedEvents } from '../../adapters/http/openapi/webhooks.js';
import { event } from '../../adapters/http/wire/events.js';
import { eventSections, wholeEvent } from './event-pages.js';
import { filled } from './filled.js';

const path = new URL('../../docs/reference/events.md', import.meta.url).pathname;

// npx vitest run test/docs/events.test.ts -u writes the page again
it('docs/reference/events.md has every type of the table', async () => {
  await expect(filled(path, { event: wholeEvent(), events: eventSections() })).toMatchFileSnapshot(
    path,
  );
});

it('the example of every event has all members that it always has, and no others', () => {
  for (const [type, { forms }] of postedEvents) {
    const names = Object.keys(Object(eventExamples[type]).data);
    const fits = forms.some(
      ({ always, maybe }) =>
        Object.keys(always).every((name) => names.includes(name)) &&
        names.every((name) => name in always || name in maybe),
    );
    expect([type, names, fits]).toEqual([type, names, true]);
  }
});

it('the page names every member of an event', () => {
  const page = filled(path, {});
  for (const name of Object.keys(event)) expect(page).toContain(`| \`${name}\` |`);
});
