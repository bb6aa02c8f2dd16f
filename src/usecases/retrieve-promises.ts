import { ok, type Result } from 'neverthrow';
import type { ServicePromises } from '../api/answers.js';
import type { Call, Context } from './context.js';

/** What the service promises in the environment of a call (decision 11.5). */
export function retrievePromises(
  { promises }: Pick<Context, 'promises'>,
  { tenant }: Pick<Call, 'tenant'>,
): Result<ServicePromises, never> {
  return ok({ ...promises, environment: tenant.environment });
}
