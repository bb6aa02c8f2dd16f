import type {
  CallOptions,
  FileUpload,
  RetrieveDealError,
  TransportError,
  UploadFileError,
  WorkFile,
} from 'dealwright';
import { err, type Result, type ResultAsync } from 'neverthrow';
import { longestWait } from '../../shared/options.js';
import type { ClientUploadOptions } from '../client/client-api.js';
import { copyMembers } from '../client/encode-input.js';
import { releaseContent } from '../client/file-source.js';
import type { Wiring } from './options.js';
import { watchProgress } from './progress.js';

/** A service, as far as uploads for one deal are concerned. */
export interface UploadTarget {
  upload(
    file: FileUpload,
    call: ClientUploadOptions,
  ): PromiseLike<Result<WorkFile, UploadFileError | TransportError>>;
  /** Says whether there is such a deal. */
  find(): ResultAsync<unknown, RetrieveDealError | TransportError>;
}

/**
 * Passes a file on in one request, piece by piece. The service judges its name, type and stage,
 * because the deal is judged first. A content that breaks a rule here is not sent to its end.
 */
export async function forwardFile(
  target: UploadTarget,
  given: FileUpload,
  said: CallOptions & Required<Pick<CallOptions, 'language'>>,
  { checks, settings }: Wiring,
): Promise<Result<WorkFile, UploadFileError | TransportError>> {
  const upload = copyMembers(given) as FileUpload | undefined;
  const checked = checks.checkContent(upload?.content);
  // the service says what is wrong with the upload
  if (upload === undefined || checked === undefined) return target.upload(upload ?? given, said);
  const { content, signal, stop } = watchProgress(checked.pieces, settings.timeout);
  const stored = await target.upload(
    { ...upload, content },
    { ...said, signal, timeout: longestWait },
  );
  stop();
  if (stored.isOk()) return stored;
  // if the file was refused unread, the source of its content is still open
  releaseContent(upload).catch(() => undefined);
  const refusal = checked.refusal(said.language);
  if (refusal === undefined) return stored;
  // the service did not see the whole file: whether the deal exists is judged first
  const found = await target.find();
  return err(found.isErr() ? found.error : refusal);
}
