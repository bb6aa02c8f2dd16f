import type { CreateDealError, PartnerApi, RegisterContractorError } from 'dealwright';
import { isJson, preferredLanguage } from './language.js';
import type { HttpRequest } from './messages.js';
import { portRefusal, type Refusal, type Reply } from './reply.js';
import type { ApiVersion, Route } from './routes.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the body and calls the operation of the route, both as far as they get. */
export async function callOperation(
  request: HttpRequest,
  { operation, version }: Route,
  api: PartnerApi<never>,
  bodyLimit: number,
): Promise<Reply | Refusal> {
  const isEncoded = request.header('content-encoding') !== undefined;
  if (isEncoded || !isJson(request.header('content-type'))) {
    // RFC 9110, 15.5.16
    return { code: 'unsupported_media_type', headers: { accept: 'application/json' } };
  }
  const bytes = await request.body(bodyLimit);
  if (bytes === 'too_large') return { code: 'payload_too_large', maxBytes: bodyLimit };
  if (bytes === 'aborted') return { code: 'invalid_json' };
  const parsed = parseJson(bytes);
  if (parsed === undefined) return { code: 'invalid_json' };

  const idempotencyKey = request.header('idempotency-key');
  const result = await api[operation](parsed.value, {
    language: preferredLanguage(request.header('accept-language')),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
  return result.isOk()
    ? { status: 201, body: envelope(version, result.value) }
    : refusalOf(result.error);
}

function parseJson(bytes: Uint8Array): { readonly value: never } | undefined {
  try {
    // what comes from outside has no type yet: the operation itself judges it
    return { value: JSON.parse(utf8.decode(bytes)) as never };
  } catch {
    return undefined;
  }
}

function envelope(version: ApiVersion, data: object): string {
  const json = JSON.stringify(data);
  return version === '1.0' ? `{"success":true,"data":${json}}` : `{"data":${json}}`;
}

function refusalOf(error: RegisterContractorError | CreateDealError): Refusal {
  if (error.code === 'validation_failed') return { code: error.code, errors: error.errors };
  return error.code === 'unavailable' ? portRefusal(error) : { code: error.code };
}
