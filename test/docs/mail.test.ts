import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventShapes } from '../../adapters/http/wire/events.js';
import { kinds, type MailKind, mailKinds } from '../../adapters/mail/kinds.js';
import { slotNames } from '../../adapters/mail/templates.js';

const page = readFileSync('docs/how-to/send-mail.md', 'utf8');

const sectionOf = (heading: string): string =>
  page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const namesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`\{?([\w.]+)\}?`/g)].map(([, name]) => `${name}`);

/** The cells of the rows of a section whose first one has names. */
const rowsOf = (heading: string): string[][] =>
  [...sectionOf(heading).matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

const of = (kind: MailKind): readonly string[] => kinds[kind].of;

describe('the page of mail', () => {
  it('lists every kind once, under the side that it goes to', () => {
    const section = sectionOf('Which messages there are');
    const [, toFreelancer = '', toPartner = ''] = section.split(
      /\| To the (?:freelancer|partner) \|/,
    );
    const listed = (part: string) =>
      [...part.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => namesIn(cell)).sort();
    const to = (side: string) => mailKinds.filter((kind) => kinds[kind].to === side).sort();
    expect(listed(toFreelancer)).toEqual(to('freelancer'));
    expect(listed(toPartner)).toEqual(to('partner'));
  });

  it('says of every type of events who is told of it, and why another side is not', () => {
    const rows = rowsOf('Who is told of which event');
    const types = new Set([...Object.keys(eventShapes), ...mailKinds.flatMap(of)]);
    expect(rows.map(([type]) => namesIn(type)[0]).sort()).toEqual([...types].sort());
    for (const [cell, toFreelancer, toPartner, why] of rows) {
      const [type = ''] = namesIn(cell);
      const told = (side: string) =>
        mailKinds.filter((kind) => kinds[kind].to === side && of(kind).includes(type)).sort();
      expect(namesIn(toFreelancer).sort(), type).toEqual(told('freelancer'));
      expect(namesIn(toPartner).sort(), type).toEqual(told('partner'));
      const isToldToBoth = told('freelancer').length > 0 && told('partner').length > 0;
      expect(isToldToBoth || (why !== undefined && why !== '–'), type).toBe(true);
    }
  });

  it('explains every slot of a template', () => {
    const listed = rowsOf('Your own words').flatMap(([cell]) => namesIn(cell));
    expect(listed.sort()).toEqual(Object.keys(slotNames).sort());
  });
});
