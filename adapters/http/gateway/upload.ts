import type {
  CallOptions,
  FileUpload,
  TransportError,
  UploadFileError,
  WorkFile,
} from 'dealwright';
import type { CheckedContent } from 'dealwright/checks';
import { err, type Result } from 'neverthrow';
import { releaseContent } from '../client/file-source.js';
import type { DealwrightClient } from '../client/index.js';
import { maxTimeout } from '../client/settings.js';
import { watchProgress } from './progress.js';

/**
 * Passes a file on in one request, piece by piece. What is said of it is judged by the service, as
 * the deal is judged first; a content that breaks a rule here is not sent to its end.
 */
export async function forwardFile(
  service: DealwrightClient,
  id: number,
  upload: FileUpload,
  checked: CheckedContent,
  said: CallOptions & Required<Pick<CallOptions, 'language'>>,
  timeout: number,
): Promise<Result<WorkFile, UploadFileError | TransportError>> {
  const { content, signal, stop } = watchProgress(checked.pieces, timeout);
  const call = { ...said, signal, timeout: maxTimeout };
  const stored = await service.uploadFile(id, { ...upload, content }, call);
  stop();
  if (stored.isOk()) return stored;
  // where it was refused unread, what the content comes from is still open
  releaseContent(upload).catch(() => undefined);
  const refusal = checked.refusal(said.language);
  if (refusal === undefined) return stored;
  // the service did not see all of it: whether there is such a deal is judged first
  const found = await service.retrieveDeal(id, said);
  return err(found.isErr() ? found.error : refusal);
}
