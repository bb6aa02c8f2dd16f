import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentTypeOf, sniffedBytes } from '../../src/domain/values/content.js';

const unknown = 'application/octet-stream';
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** First bytes of files as their formats define them. */
const signed: readonly (readonly [type: string, head: Uint8Array])[] = [
  ['image/png', hex('89504e47 0d0a1a0a')],
  ['image/jpeg', hex('ffd8ff e0')],
  ['image/gif', Buffer.from('GIF87a')],
  ['image/gif', Buffer.from('GIF89a')],
  ['image/webp', Buffer.from('RIFF1234WEBPVP8 ')],
  ['audio/wav', Buffer.from('RIFF1234WAVEfmt ')],
  ['application/pdf', Buffer.from('%PDF-1.7')],
  ['application/zip', hex('504b0304')],
  ['application/gzip', hex('1f8b08')],
  ['application/vnd.rar', hex('52617221 1a07 00')],
  ['application/x-7z-compressed', hex('377abcaf 271c')],
  ['audio/mpeg', Buffer.from('ID3')],
  ['application/ogg', Buffer.from('OggS\0')],
  ['video/webm', hex('1a45dfa3')],
  ['video/mp4', Buffer.from('\0\0\0\x18ftypisom')],
  ['image/tiff', hex('49492a00')],
  ['image/tiff', hex('4d4d002a')],
  ['application/x-executable', hex('7f454c46')],
  ['application/vnd.microsoft.portable-executable', Buffer.from('MZ')],
];

const inside: readonly (readonly [declared: string, shown: string])[] = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/zip'],
  ['application/vnd.oasis.opendocument.text', 'application/zip'],
  ['application/epub+zip', 'application/zip'],
  ['application/java-archive', 'application/zip'],
  ['audio/webm', 'video/webm'],
  ['video/x-matroska', 'video/webm'],
  ['video/quicktime', 'video/mp4'],
  ['image/heic', 'video/mp4'],
  ['image/avif', 'video/mp4'],
  ['audio/ogg', 'application/ogg'],
];
const headOf = (type: string) => signed.find(([each]) => each === type)?.[1] ?? new Uint8Array();

describe('the type of a content', () => {
  it.each(signed)('is %s if its first bytes show it, with any declared type', (type, head) => {
    const more = Uint8Array.from([...head, 1, 2, 3]);
    for (const declared of [undefined, 'text/plain', 'application/x-unheard-of', unknown]) {
      expect(contentTypeOf(head, declared)).toBe(type);
      expect(contentTypeOf(more, declared)).toBe(type);
    }
    for (const declared of [type, type.toUpperCase(), `${type}; a=b`, `${type} ; a=b`]) {
      expect(contentTypeOf(head, declared)).toBe(declared);
    }
    expect(head.length).toBeLessThanOrEqual(sniffedBytes);
  });

  it.each(signed)('is no %s if a byte is missing or another', (type, head) => {
    const isAny = (at: number) =>
      (head[0] === 0x52 && head[3] === 0x46 && at >= 4 && at < 8) ||
      (type === 'video/mp4' && at < 4);
    const size = { 'image/jpeg': 3, 'application/vnd.rar': 6, 'image/webp': 12, 'audio/wav': 12 }[
      type as string
    ];
    const end = type === 'application/pdf' ? 5 : type === 'video/mp4' ? 8 : (size ?? head.length);
    expect(contentTypeOf(head.slice(0, end - 1), undefined)).toBe(unknown);
    for (let at = 0; at < end; at += 1) {
      const other = Uint8Array.from(head);
      other[at] = (other[at] ?? 0) ^ 0x80;
      expect(contentTypeOf(other, undefined)).toBe(isAny(at) ? type : unknown);
    }
  });

  it.each(inside)('is %s if it is said so and shows itself to be %s', (declared, shown) => {
    expect(contentTypeOf(headOf(shown), declared)).toBe(declared);
    expect(contentTypeOf(headOf(shown), declared.toUpperCase())).toBe(declared.toUpperCase());
    expect(contentTypeOf(Buffer.from('plain text'), declared)).toBe(unknown);
    const other = shown === 'application/zip' ? 'video/webm' : 'application/zip';
    expect(contentTypeOf(headOf(other), declared)).toBe(other);
  });

  it('is what it is said to be if its content does not show it', () => {
    const printable = fc.uint8Array({ min: 0x61, max: 0x79 });
    const declared = fc.constantFrom('text/plain', 'text/html; charset=utf-8', 'a/b', 'TEXT/CSS');
    fc.assert(
      fc.property(printable, declared, (head, type) => {
        expect(contentTypeOf(head, type)).toBe(type);
        expect(contentTypeOf(head, undefined)).toBe(unknown);
      }),
    );
  });
});
