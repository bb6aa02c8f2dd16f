import { defaultValueSets, describeError, interfaceProfile, type Language } from 'dealwright';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notFound, validationFailed } from '../../src/domain/input/errors.js';
import { describeIssue, inWords } from '../../src/domain/input/messages.js';
import type { Finding } from '../../src/domain/values/issues.js';
import { errorMessages } from './error-catalogue.js';
import { contractorTable, dealTable, dealV2Table } from './field-tables.js';
import { issueMessages } from './message-catalogue.js';

const languages = ['en', 'pl'] as const;
const findings: readonly Finding[] = issueMessages.map(({ code, params }) => finding(code, params));

function finding(code: Finding['code'], params: object): Finding {
  return { path: ['field'], code, params } as Finding;
}

describe('the message of an issue', () => {
  it.each(issueMessages)('$code stays the same in both languages', ({ code, params, en, pl }) => {
    expect(describeIssue(finding(code, params), 'en').message).toBe(en);
    expect(describeIssue(finding(code, params), 'pl').message).toBe(pl);
  });

  it.each(languages)('is a phrase without a hole, in %s', (language) => {
    for (const each of findings) {
      const { message } = describeIssue(each, language);
      expect(message).toMatch(/^[a-z].*[^.\s]$/);
      expect(message).not.toMatch(/undefined|NaN|null,|\[object|\$\{/);
    }
  });

  it('is frozen plain data with the path, the code and the figures', () => {
    const issue = describeIssue(finding('too_long', { max: 200 }), 'en');
    expect(issue).toEqual({
      path: ['field'],
      code: 'too_long',
      message: 'must have at most 200 characters',
      params: { max: 200 },
    });
    expect([issue, issue.path, issue.params].every(Object.isFrozen)).toBe(true);
  });
});

describe('the message of an error', () => {
  it.each(errorMessages)('$code stays the same in both languages', ({ code, en, pl }) => {
    expect(describeError(code, 'en')).toBe(en);
    expect(describeError(code, 'pl')).toBe(pl);
    expect(inWords({ code }, 'pl')).toEqual({ code, message: pl });
    expect(Object.isFrozen(inWords({ code }, 'en'))).toBe(true);
    expect(en).toMatch(/^[A-Z].*\.$/);
    expect(pl).toMatch(/^\p{Lu}.*\.$/u);
  });
});

describe('the message of what is not found', () => {
  it.each([
    ['deal', 'There is no such deal.', 'Nie ma takiego zlecenia.'],
    ['work_file', 'There is no such work file.', 'Nie ma takiego pliku.'],
    ['webhook', 'There is no such webhook.', 'Nie ma takiego webhooka.'],
    ['delivery', 'There is no such delivery.', 'Nie ma takiego doręczenia.'],
    ['partner', 'There is no such partner.', 'Nie ma takiego partnera.'],
    ['operation', 'There is no such operation here.', 'Nie ma tu takiej operacji.'],
  ] as const)('says that it is a %s', (resource, en, pl) => {
    expect(inWords(notFound(resource), 'en')).toEqual({ code: 'not_found', message: en, resource });
    expect(inWords(notFound(resource), 'pl')).toEqual({ code: 'not_found', message: pl, resource });
  });

  it.each(['constructor', '__proto__', 'later'])('is the general one of %s', (later) => {
    expect(describeError('not_found', 'en', later as 'deal')).toBe('There is no such resource.');
  });
});

describe('a validation error', () => {
  it.each(languages)('lists every finding in words, in %s, and is frozen', (language) => {
    const error = inWords(validationFailed(...findings), language);
    expect(error.code).toBe('validation_failed');
    expect(error.message).toBe(describeError('validation_failed', language));
    expect(error.errors).toEqual(findings.map((each) => describeIssue(each, language)));
    expect(Object.isFrozen(error)).toBe(true);
    expect(Object.isFrozen(error.errors)).toBe(true);
  });

  const rules = interfaceProfile(defaultValueSets);
  it.each([
    ['contractor', rules.parseContractor, contractorTable],
    ['deal', rules.parseDeal, dealTable],
    ['2.0 deal', rules.parseDealV2, dealV2Table],
  ] as const)('never repeats what was submitted in a %s', (_, parse, table) => {
    // the snowmen are marks: no message, figure or code has one of its own
    const marked = fc.string({ maxLength: 300 }).map((text) => `☃${text}☃`);
    const value = fc.oneof(
      marked,
      marked.map((text) => [text]),
      marked.map((text) => ({ [text]: text })),
      marked.map((text) => `${text}\0`),
      marked.map((text) => text.repeat(200)),
    );
    const body = fc.record(Object.fromEntries(table.map(({ name }) => [name, value])));
    const language = fc.constantFrom<Language>(...languages);
    fc.assert(
      fc.property(fc.oneof(body, marked), language, (input, spoken) => {
        const parsed = parse(input);
        const error = inWords(validationFailed(...(parsed.isErr() ? parsed.error : [])), spoken);
        expect(error.errors.length).toBeGreaterThan(0);
        expect(JSON.stringify(error)).not.toContain('☃');
      }),
    );
  });

  it('never repeats a submitted number', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2 ** 54, max: 1e300, noNaN: true }),
        fc.constantFrom<Language>(...languages),
        (number, language) => {
          const body = Object.fromEntries(dealTable.map(({ name }) => [name, number]));
          const parsed = rules.parseDeal(body);
          const error = inWords(
            validationFailed(...(parsed.isErr() ? parsed.error : [])),
            language,
          );
          expect(JSON.stringify(error)).not.toContain(String(number));
        },
      ),
    );
  });
});
