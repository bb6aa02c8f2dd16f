import { createMailer } from 'dealwright/mail';
import { describe, expect, it } from 'vitest';
import { mailKinds } from '../../../adapters/mail/kinds.js';
import { slotsIn } from '../../../adapters/mail/render.js';
import { slotNames, templates } from '../../../adapters/mail/templates.js';
import { partnerAddress, required } from './kit.js';

const transport = { sendMail: () => Promise.reject(new Error('nothing is sent')) };
const mailer = createMailer({ ...required, transport, partnerAddress, timeZone: 'Europe/Warsaw' });
const previews = mailer.preview();

it('reads as in messages.txt, in both languages', async () => {
  const texts = previews.map(
    ({ kind, side, language, message: { subject, text } }) =>
      `== ${kind}, to the ${side} (${language})\nSubject: ${subject}\n\n${text}`,
  );
  await expect(texts.join('\n')).toMatchFileSnapshot('messages.txt');
});

it('is complete in both languages', () => {
  expect(previews.map(({ kind, language }) => `${kind} ${language}`)).toEqual(
    mailKinds.flatMap((kind) => [`${kind} en`, `${kind} pl`]),
  );
  expect(Object.keys(templates).sort()).toEqual([...mailKinds].sort());
});

describe.each(mailKinds)('%s', (kind) => {
  const { en, pl } = templates[kind];
  const slotsOf = (text: string) => [...new Set(slotsIn(text))].sort();

  it('says the same in both languages', () => {
    expect(slotsOf(pl.subject)).toEqual(slotsOf(en.subject));
    expect(slotsOf(pl.paragraphs.join())).toEqual(slotsOf(en.paragraphs.join()));
    expect(pl.paragraphs).toHaveLength(en.paragraphs.length);
    expect([en.subject, ...en.paragraphs].filter((text) => text.trim() === '')).toEqual([]);
    expect([pl.subject, ...pl.paragraphs].filter((text) => text.trim() === '')).toEqual([]);
    expect(pl).not.toEqual(en);
  });

  it('has no braces left, and the same words as HTML', () => {
    for (const { message, language } of previews.filter((each) => each.kind === kind)) {
      const { subject, text, html, headers } = message;
      expect(`${subject}${text}${html}`).not.toMatch(/[{}]/);
      expect(headers).toEqual({
        'Auto-Submitted': 'auto-generated',
        'Content-Language': language,
      });
      expect(html).toContain(`<html lang="${language}">`);
      const words = (of: string) => of.replace(/&[^;]*;|[\s>'"&]+/g, '');
      const [, body = ''] = html.split('<body>');
      expect(words(body.replace(/<[^<>]*>/g, ''))).toBe(words(text));
    }
  });
});

it('uses every slot that templates may have', () => {
  const used = Object.values(templates).flatMap(({ en }) =>
    [en.subject, ...en.paragraphs].flatMap(slotsIn),
  );
  // a settlement is another reading of a proposal than that of the samples
  expect(new Set([...used, 'host'])).toEqual(new Set(Object.keys(slotNames)));
});

it('has the link in every message to a freelancer, and in no other', () => {
  for (const { side, message } of previews) {
    const { text, html } = message;
    const link = 'https://deals.example.com/offer/#a-sample-of-a-payment-token';
    const count = side === 'freelancer' ? 1 : 0;
    expect(text.split(link)).toHaveLength(1 + count);
    expect(html.split('a-sample-of-a-payment-token')).toHaveLength(1 + 2 * count);
  }
});
