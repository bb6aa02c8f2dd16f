import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mailKinds } from '../../adapters/mail/kinds.js';
import { runHere } from './dealwright.js';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dealwright-mail-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const wanted = mailKinds.flatMap((kind) => [`${kind} en`, `${kind} pl`]);

it('prints every message in both languages', async () => {
  const { code, stdout, stderr } = await runHere(['mail', 'preview']);
  expect([code, stderr]).toEqual([0, '']);
  const heads = [...stdout.matchAll(/^== (\w+), to the (?:freelancer|partner) \((en|pl)\)$/gm)];
  expect(heads.map(([, kind, language]) => `${kind} ${language}`)).toEqual(wanted);
  expect(stdout).toContain('Subject: Acme offers you work: “Landing page”\n');
  expect(stdout).toContain('https://deals.example.com/offer/#a-sample-of-a-payment-token');
});

it('writes every message as HTML into a folder, which it makes', async () => {
  const folder = join(newFolder(), 'messages');
  const { code, stdout, stderr } = await runHere(['mail', 'preview', '--html', folder]);
  expect([code, stderr]).toEqual([0, '']);
  const files = wanted.map((each) => `${each.replace(' ', '.')}.html`);
  expect(readdirSync(folder).sort()).toEqual([...files].sort());
  expect(stdout).toBe(files.map((file) => `${join(folder, file)}\n`).join(''));
  expect(readFileSync(join(folder, 'offered.pl.html'), 'utf8')).toMatch(
    /^<!doctype html>\n<html lang="pl">/,
  );
});

it('says why a folder cannot be made', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');
  const { code, stdout, stderr } = await runHere(['mail', 'preview', '--html', join(file, 'x')]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^dealwright: the messages were not written: .*ENOTDIR/);
});
