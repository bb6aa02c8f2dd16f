import type { MailMessage, MailTemplate, Slots } from './message.js';

const slot = /\{(\w+)\}/g;

/** The names of the slots in a text. */
export const slotsIn = (text: string): readonly string[] =>
  [...text.matchAll(slot)].map(([, name = '']) => name);

/** Characters that turn the direction of writing, and so could move the words around a value. */
const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Text on one line: nothing in it ends a header. */
export const onOneLine = (text: string): string =>
  text.replace(turns, '').replace(breaks, ' ').trim();

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(turns, '').replace(breaks, ' ').trimEnd());

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? '');

/** The words of a message, from a template: whatever the values are, they are shown as text. */
export function render(
  { subject, paragraphs }: MailTemplate,
  signature: readonly string[],
  slots: Slots,
  language: string,
): Pick<MailMessage, 'subject' | 'text' | 'html'> {
  const title = onOneLine(subject.replace(slot, (_, name: string) => slots[name] ?? ''));
  const shown = [...paragraphs, ...signature].filter((paragraph) =>
    slotsIn(paragraph).every((name) => slots[name] !== undefined),
  );
  const body = shown.map((paragraph) => htmlOf(paragraph, slots)).join('\n');
  return {
    subject: title,
    text: `${shown.map((paragraph) => textOf(paragraph, slots)).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body>
${body}
</body>
</html>
`,
  };
}

/** A paragraph that ends with a quotation: what stands before it, and its lines. */
function quoted(paragraph: string, slots: Slots) {
  const [, lead = '', name = ''] = /^(.*?)\s*\{(reason|message)\}$/s.exec(paragraph) ?? [];
  const value = slots[name];
  return value === undefined ? undefined : { lead, lines: linesOf(value) };
}

function textOf(paragraph: string, slots: Slots): string {
  const quotation = quoted(paragraph, slots);
  if (quotation !== undefined) {
    const { lead, lines } = quotation;
    const marked = lines.map((line) => `> ${line}`.trimEnd());
    return [...(lead === '' ? [] : [textOf(lead, slots)]), ...marked].join('\n');
  }
  return paragraph.replace(slot, (_, name: string) => onOneLine(slots[name] ?? ''));
}

function htmlOf(paragraph: string, slots: Slots): string {
  const quotation = quoted(paragraph, slots);
  if (quotation !== undefined) {
    const { lead, lines } = quotation;
    const quote = `<blockquote dir="auto">${lines.map(escaped).join('<br>')}</blockquote>`;
    return lead === '' ? quote : `${htmlOf(lead, slots)}\n${quote}`;
  }
  const inner = escaped(paragraph).replace(slot, (_, name: string) => {
    const value = escaped(onOneLine(slots[name] ?? ''));
    return name === 'link' ? `<a href="${value}">${value}</a>` : `<bdi>${value}</bdi>`;
  });
  return `<p>${inner}</p>`;
}
