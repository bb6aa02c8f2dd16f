import type { FileUpload, Issue, ValidationFailed } from 'dealwright';
import type { UpstreamUpload, UpstreamUploadOutcome, UpstreamWorkFiles } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { maxTimeout } from '../client/settings.js';
import { checkFields } from './check-fields.js';
import { failureOf, noToken, stalled } from './failures.js';
import { watchProgress } from './progress.js';
import { timeOf, understood } from './read-deals.js';
import type { Upstream } from './upstream.js';

/** Work files of the deals of record: each upload is one request, streamed. */
export function createWorkFiles(upstream: Upstream, timeout: number): UpstreamWorkFiles {
  return {
    async add(tenant, upload) {
      const api = upstream(tenant);
      if (api === undefined) return noToken();
      const { deal_id, idempotencyKey } = upload;
      const { content, signal, stop } = watchProgress(upload.content, timeout);
      const key = idempotencyKey === undefined ? {} : { idempotencyKey };
      const call = { ...key, signal, timeout: maxTimeout };
      const answer = await api.uploadFile(deal_id, fileOf({ ...upload, content }), call);
      stop();
      if (answer.isOk()) {
        const { value } = answer;
        return understood((): UpstreamUploadOutcome => {
          const file = {
            ...checkFields(value),
            uploaded_at: timeOf(value.uploaded_at, 'uploaded_at'),
          };
          return { outcome: 'stored', file };
        }).mapErr((failure) => ({ ...failure, outcome: 'unknown' }));
      }
      const { error } = answer;
      switch (error.code) {
        case 'not_found':
          return ok({ outcome: 'missing' });
        case 'payload_too_large': {
          const { max_bytes } = error;
          return ok({ outcome: 'too_large', ...(max_bytes === undefined ? {} : { max_bytes }) });
        }
        case 'idempotency_key_reused':
          return ok({ outcome: 'exists', by: 'idempotency_key' });
        case 'validation_failed': {
          const outcome = outcomeOf(error);
          return outcome === undefined ? failureOf(error) : ok(outcome);
        }
        case 'aborted':
          return stalled(error.outcome, timeout);
        default:
          return failureOf(error);
      }
    },
  };
}

function fileOf({ name, content_type, stage_id, content }: UpstreamUpload): FileUpload {
  return {
    name,
    content,
    ...(content_type === undefined ? {} : { content_type }),
    ...(stage_id === undefined ? {} : { stage_id }),
  };
}

/** What the service alone can judge; whatever else it refuses, our own rules have let through. */
function outcomeOf({ errors }: ValidationFailed): UpstreamUploadOutcome | undefined {
  const [issue] = errors;
  if (issue === undefined || errors.length > 1) return undefined;
  switch (`${issue.path.join('.')} ${issue.code}`) {
    case 'stage_id required':
      return { outcome: 'stage_required' };
    case 'stage_id unknown_stage':
      return { outcome: 'unknown_stage' };
    case 'content refused_by_scanner':
      return { outcome: 'refused' };
    default:
      return fullnessOf(issue);
  }
}

function fullnessOf({ code, params }: Issue): UpstreamUploadOutcome | undefined {
  if (code !== 'too_many_files') return undefined;
  const { max } = params;
  return Number.isSafeInteger(max) ? { outcome: 'full', max_files: max } : undefined;
}
