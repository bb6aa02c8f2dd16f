import { useSignal } from '@preact/signals';
import type { WorkFile } from 'dealwright';
import { Badge, Button } from './components.js';
import { type Failure, words } from './failure.js';
import { Moment, size } from './format.js';
import { language } from './language.js';
import { filesOf, type Stage } from './terms.js';
import {
  addFiles,
  fieldOf,
  removeUpload,
  rowOf,
  sendAgain,
  type Target,
  type Upload,
  uploads,
} from './uploads.js';

export function Files(props: FilesOf & { readonly stage: Stage }) {
  const { stage, ...of } = props;
  const files = filesOf(stage);
  if (files.length === 0) return <p class="muted">{words().files.none}</p>;
  return (
    <ul class="rows files">
      {files.map((file) => (
        <FileRow key={file.id} file={file} {...of} />
      ))}
    </ul>
  );
}

interface FilesOf {
  readonly who: Readonly<Record<NonNullable<WorkFile['by']>, string>>;
  /** Missing if the reader has no right to the content. */
  readonly download?: (file: WorkFile) => Promise<Failure | undefined>;
}

function FileRow({ file, who, download }: FilesOf & { readonly file: WorkFile }) {
  const { files } = words();
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const { name, status, by, uploaded_at } = file;
  return (
    <li>
      {download === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <button
          type="button"
          class="file"
          aria-label={files.save(name)}
          aria-disabled={isBusy.value}
          onClick={async () => {
            if (isBusy.value) return;
            isBusy.value = true;
            failure.value = await download(file);
            isBusy.value = false;
          }}
        >
          <bdi>{name}</bdi>
        </button>
      )}
      <span class="muted">
        {size(file.size)} · {by === null ? '' : `${who[by]}, `}
        <Moment at={uploaded_at} />
      </span>
      {failure.value !== undefined && (
        <p class="error" role="alert">
          {failure.value.message}
        </p>
      )}
      {status !== 'stored' && (
        <span class="end">
          <Badge tone={status === 'accepted' ? 'good' : 'plain'}>
            {status === 'accepted' ? files.accepted : files.superseded}
          </Badge>
        </span>
      )}
    </li>
  );
}

/** Takes files for a stage by the browser's own dialog, or by drag and drop. */
export function Uploader(props: { readonly stage: Stage; readonly target: Target }) {
  const { stage, target } = props;
  const { files } = words();
  const isOver = useSignal(false);
  const { limit } = target;
  const id = fieldOf(stage.id);
  const own = uploads.value.filter(({ stage_id }) => stage_id === stage.id);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same by keyboard */}
      <div
        class={`drop ${isOver.value ? 'over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => {
          isOver.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          addFiles(target, stage.id, event.dataTransfer?.files ?? []);
        }}
      >
        <input
          id={id}
          class="unseen"
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            addFiles(target, stage.id, currentTarget.files ?? []);
            // the same file can be chosen again
            currentTarget.value = '';
          }}
        />
        <label class="button" for={id}>
          {files.add}
        </label>
        <span class="muted">
          <span class="only-mouse">{files.drop}. </span>
          {limit !== undefined && `${files.limit(size(limit))}.`}
        </span>
      </div>
      {own.length > 0 && (
        <ul class="rows files">
          {own.map((upload) => (
            <UploadRow key={upload.number} upload={upload} />
          ))}
        </ul>
      )}
    </>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { files } = words();
  const { file, state, sent, failure, number } = upload;
  const isFailed = state.value === 'failed';
  const part = new Intl.NumberFormat(language.value, { style: 'percent' });
  return (
    <li id={rowOf(number)} tabIndex={-1}>
      <bdi>{file.name}</bdi>
      {isFailed ? (
        <span class="error">{failure.value?.message}</span>
      ) : (
        <>
          <progress
            max={Math.max(1, file.size)}
            value={sent.value}
            aria-label={files.progress(file.name)}
          />
          <span class="muted">
            {state.value === 'waiting'
              ? files.waiting
              : part.format(sent.value / Math.max(1, file.size))}
          </span>
        </>
      )}
      <span class="end">
        {isFailed && (
          <Button kind="quiet" label={files.again(file.name)} onClick={() => sendAgain(upload)}>
            ↻
          </Button>
        )}
        <Button
          kind="quiet"
          label={isFailed ? files.remove(file.name) : files.cancel(file.name)}
          onClick={() => removeUpload(upload)}
        >
          ✕
        </Button>
      </span>
    </li>
  );
}
