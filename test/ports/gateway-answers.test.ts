import { describe, expect, it } from 'vitest';
import { isGatewayAnswer } from '../../src/ports/kept-promises.js';

const refused = { reason: 'payee_missing', retry: 'later' };

describe('the answer of a gateway (decision 10.17)', () => {
  it.each([
    ['no reports', []],
    ['reports', [{ status: 'paid' }]],
    ['nothing to say', {}],
    ['reports under a name', { reports: [{ status: 'paid' }] }],
    ['a refusal for now', { refused }],
    ['a refusal for ever', { refused: { ...refused, retry: 'never' } }],
  ])('is %s', (_, answer) => {
    expect(isGatewayAnswer(answer)).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'paid'],
    ['a list with something else', ['paid']],
    ['reports that are no list', { reports: { status: 'paid' } }],
    ['reports with something else', { reports: [null] }],
    ['a refusal that is nothing', { refused: null }],
    ['a refusal without a reason', { refused: { retry: 'later' } }],
    ['a refusal with a reason of its own', { refused: { ...refused, reason: 'a holiday' } }],
    ['a refusal that does not say for how long', { refused: { reason: 'payee_missing' } }],
    ['a refusal beside reports', { refused, reports: [] }],
  ])('is not %s', (_, answer) => {
    expect(isGatewayAnswer(answer)).toBe(false);
  });
});
