import type { TransportError } from '../../src/api/transport-errors.js';
import type {
  CommandError,
  CreateDealError,
  ListDealsError,
  RegisterContractorError,
  Resource,
  RetrieveDealError,
  UploadFileError,
} from '../../src/domain/input/errors.js';
import { describeError, type Language } from '../../src/domain/input/messages.js';
import { check, equal } from '../expectations.js';

/** Any error of a method of `PartnerApi`. */
export type AnyError =
  | RegisterContractorError
  | CreateDealError
  | RetrieveDealError
  | ListDealsError
  | UploadFileError
  | CommandError
  | TransportError;

/** An error without members that differ from request to request: over a wire each has an id. */
export function told(error: AnyError): object {
  const { request_id: _, ...said } = error;
  return said;
}

/** An error with a code and a message only, frozen. */
export function plain(
  error: AnyError,
  code: Parameters<typeof describeError>[0],
  language: Language = 'en',
): void {
  equal(withoutMessage(error), { code }, `the error ${code}`);
  inWords(error, language, (each) => describeError(code, each));
  check(Object.isFrozen(error), `the error ${code} is frozen`);
}

/** `not_found` of this and nothing else, frozen. */
export function missing(error: AnyError, resource: Resource, language: Language = 'en'): void {
  equal(withoutMessage(error), { code: 'not_found', resource }, `no ${resource}`);
  inWords(error, language, (each) => describeError('not_found', each, resource));
  check(Object.isFrozen(error), 'the error is frozen');
}

/** A validation error with exactly these issues; of each, path and code count. */
export function invalid(
  error: AnyError,
  issues: readonly { readonly path: readonly string[]; readonly code: string }[],
  language: Language = 'en',
): void {
  equal(error.code, 'validation_failed', 'the error is one of validation');
  check(error.code === 'validation_failed', 'narrows the type');
  equal(Object.keys(told(error)).sort(), ['code', 'errors', 'message'], 'the members of the error');
  inWords(error, language, (each) => describeError('validation_failed', each));
  equal(
    error.errors.map(({ path, code }) => ({ path, code })),
    issues.map(({ path, code }) => ({ path, code })),
    'the issues of the error',
  );
  check(Object.isFrozen(error) && Object.isFrozen(error.errors), 'the error is frozen');
}

function withoutMessage(error: AnyError): object {
  const { message: _, ...said } = told(error) as { readonly message: unknown };
  return said;
}

/** Each service has words of its own; those of this library show which language they are in. */
function inWords(
  { message }: AnyError,
  language: Language,
  describe: (language: Language) => string,
): void {
  check(typeof message === 'string' && message !== '', 'the error has a message');
  check(
    message !== describe(language === 'en' ? 'pl' : 'en'),
    `the message is in the language of the call, ${language}: ${message}`,
  );
}
