import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onOneLine, render } from '../../../adapters/mail/render.js';
import { seed } from '../../kit/seed.js';

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom(
    'a\r\nBcc: victim@example.com',
    'a\nb\rc\u2028d\u2029e\u0085f',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    '&lt;b&gt;&amp;',
    '\u202egnp.exe\u202c',
    '\u2067abc\u2066def',
    '{link}{title}{reason}',
    '$& $1 $` $$',
    '\u{1f600}'.repeat(200),
  ),
);

const template = {
  subject: 'Offer “{title}”',
  paragraphs: ['It is “{title}”.', '{reason}', 'See {link}', 'Not without {missing}.'],
};

/** The text that a browser shows for HTML that has only these entities. */
const shown = (html: string) =>
  html
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const link = 'https://deals.example.com/offer/#token';
const made = (title: string, reason: string) =>
  render(template, ['{title}'], { title, reason, link }, 'en');

describe('a message', () => {
  it('has no line break, control character or change of direction in its subject', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const { subject } = made(title, title);
        expect(subject).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(subject).toBe(`Offer “${onOneLine(`“${title}”`).slice(1, -1)}”`);
      }),
      { seed },
    );
  });

  it('has the same tags whatever its values are, and shows these as text', () => {
    const tagsOf = (html: string) => html.match(/<[^<>]*>/g)?.filter((tag) => tag !== '<br>');
    const usual = tagsOf(made('a', 'b').html);
    fc.assert(
      fc.property(hostile, hostile, (title, reason) => {
        const { html } = made(title, reason);
        expect(tagsOf(html)).toEqual(usual);
        expect(html.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
        const [, paragraph = ''] = /<p>(.*)<\/p>/.exec(html) ?? [];
        expect(shown(paragraph)).toBe(`It is “${onOneLine(title)}”.`);
      }),
      { seed },
    );
  });

  it('keeps values on their line of text, and marks each line of a quotation', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, reason) => {
        const { text } = made(title, reason);
        const lines = text.split('\n');
        expect(lines[0]).toBe(`It is “${onOneLine(title)}”.`);
        const end = lines.indexOf(`See ${link}`);
        const quoted = lines.slice(2, end - 1);
        expect(quoted).toHaveLength(reason.split(/\r\n?|[\n\u2028\u2029]/).length);
        expect(quoted.every((line) => line.startsWith('>'))).toBe(true);
        expect(text).not.toMatch(/[^\P{Cc}\n]/u);
      }),
      { seed },
    );
  });

  it('leaves out the paragraphs whose slots have no value', () => {
    const { text, html } = render(template, [], { title: 'A title' }, 'pl');
    expect(text).toBe('It is “A title”.\n');
    expect(html).toContain('<html lang="pl">');
    expect(html.match(/<p>/g)).toHaveLength(1);
  });

  it('escapes the words of a template, too', () => {
    const words = { subject: 'a\r\nb', paragraphs: ['<b>{title}</b> & more'] };
    const { subject, html } = render(words, [], { title: 'x' }, 'en');
    expect(subject).toBe('a b');
    expect(html).toContain('<p>&lt;b&gt;<bdi>x</bdi>&lt;/b&gt; &amp; more</p>');
  });
});
