import { createHash } from 'node:crypto';
import { describeError, emailKey, type Language } from 'dealwright';
import { err, ok, type Result } from 'neverthrow';
import { type BodyKind, fieldsOf } from '../fields.js';

/** A line that can be sent. */
export interface ImportLine {
  readonly kind: BodyKind;
  readonly body: unknown;
  /** Of its content alone, so that it is the same in every run and in every file. */
  readonly idempotencyKey: string;
  /** What has to be answered before it, where it stands earlier in the file. */
  readonly after: readonly string[];
  /** What later lines may have to wait for. */
  readonly makes: string;
}

/** Why a line is not sent at all. */
export interface BadLine {
  readonly code: 'invalid_json' | 'invalid_line' | 'payload_too_large';
  readonly message: string;
}

/** Reads a line; `undefined` stands for one that is too long. */
export function parseLine(
  bytes: Uint8Array | undefined,
  language: Language,
): Result<ImportLine, BadLine> {
  const plain = (code: 'invalid_json' | 'payload_too_large') =>
    err({ code, message: describeError(code, language) });
  if (bytes === undefined) return plain('payload_too_large');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return plain('invalid_json');
  }
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [name, body] = entries[0] ?? [];
  const kinds = Object.keys(fieldsOf) as BodyKind[];
  const kind = kinds.find((each) => each === name);
  if (entries.length !== 1 || kind === undefined || Array.isArray(value)) {
    return err({
      code: 'invalid_line',
      message: `a line is an object with one member, which is one of ${kinds.join(', ')}`,
    });
  }
  const idempotencyKey = keyOf(kind, body);
  // deeper than any body of the interface, and than anything can be written out again
  if (idempotencyKey === undefined) return plain('invalid_json');
  const text = (member: string) => textOf(body, member);
  const deal = `deal ${text('partner_id')}`;
  if (kind === 'deal_v2') return ok({ kind, body, idempotencyKey, after: [deal], makes: deal });
  const email = emailKey(text(kind === 'deal' ? 'contractor_email' : 'email'));
  const contractor = `contractor ${email}`;
  return kind === 'deal'
    ? ok({ kind, body, idempotencyKey, after: [contractor, deal], makes: deal })
    : ok({ kind, body, idempotencyKey, after: [contractor], makes: contractor });
}

/** Two bodies with the same members get the same key, in any order. */
function keyOf(kind: BodyKind, body: unknown): string | undefined {
  try {
    const members =
      typeof body === 'object' && body !== null && !Array.isArray(body)
        ? Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))
        : body;
    const digest = createHash('sha256')
      .update(JSON.stringify([kind, members]))
      .digest('hex');
    return `import-${digest}`;
  } catch {
    return undefined;
  }
}

function textOf(body: unknown, member: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = Object.entries(body).find(([name]) => name === member)?.[1];
  return typeof value === 'string' ? value : '';
}
