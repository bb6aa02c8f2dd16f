import type { Finding } from '../values/issues.js';
import type { Row } from './records.js';

/**
 * The members of a command that contain the payment token of their deal: they would carry it into
 * events, and to everybody who sees the deal (decision 6.7).
 */
export function secretsIn(
  { payment_token }: Row<'deal'>,
  texts: Readonly<Record<string, string | undefined>>,
): readonly Finding<'secret_in_text'>[] {
  if (payment_token === null) return [];
  return Object.entries(texts).flatMap(([name, text]) =>
    text?.includes(payment_token)
      ? [{ path: [name], code: 'secret_in_text', params: {} } as const]
      : [],
  );
}
