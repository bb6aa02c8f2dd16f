import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMailer } from 'dealwright/mail';
import type { Flags } from './fields.js';
import { failedExit, say } from './problem.js';

/** Prints every message with sample data, or writes them to a folder. */
export async function previewMail(process: NodeJS.Process, { html }: Flags): Promise<number> {
  const previews = createMailer({
    transport: { sendMail: () => Promise.reject(new Error('a preview sends nothing')) },
    from: 'Example Deals <deals@example.com>',
    hostName: 'Example Deals',
    offerUrl: 'https://deals.example.com/offer/',
    since: '2026-01-01T00:00:00Z',
  }).preview();
  try {
    if (html !== undefined) await mkdir(html, { recursive: true });
    for (const { kind, side, language, message } of previews) {
      if (html === undefined) {
        const head = `${kind}, to the ${side} (${language})`;
        process.stdout.write(`== ${head}\nSubject: ${message.subject}\n\n${message.text}\n`);
      } else {
        const file = join(html, `${kind}.${language}.html`);
        await writeFile(file, message.html);
        process.stdout.write(`${file}\n`);
      }
    }
  } catch (cause) {
    say(process, `the messages were not written: ${cause}`);
    return failedExit;
  }
  return 0;
}
