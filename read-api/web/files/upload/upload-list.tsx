/** What is being uploaded, file by file: how far, why not, and how it goes on. */
import { useEffect, useState } from 'preact/hooks';
import { getFileStatus } from '../../../../packages/client/src/operations';
import { StatusBadge } from '../../components/status-badge';
import { bytesOf, countOf } from '../../kernel/format';
import { useResource } from '../../kernel/use-resource';
import { FileState, isSettled, remedyFor } from '../labels';
import { filePath } from '../paths';
import type { UploadTarget } from './file-upload-service';
import {
  cancelUpload,
  dismissUploads,
  isUnfinished,
  keepBoth,
  retryUpload,
  type Upload,
  uploadAsVersion,
  uploads,
} from './upload-queue';

const statusMilliseconds = 2_000;

/** What became of it: the bytes are there, and now it is read. */
const Processed = ({ fileId, versionId }: { readonly fileId: string; readonly versionId: string }) => {
  const [isBusy, setBusy] = useState(true);
  const { content } = useResource(getFileStatus({ fileId, versionId }), {
    ...(isBusy ? { everyMilliseconds: statusMilliseconds } : {}),
  });
  const isOver = content !== undefined && isSettled(content.status);
  useEffect(() => setBusy(!isOver), [isOver]);
  if (content === undefined || content.status === 'UPLOADING') return <StatusBadge>uploaded</StatusBadge>;
  const { status, reason, errorCode } = content;
  return (
    <>
      {isOver || status === 'PARTIALLY_READY' ? (
        <FileState status={status} />
      ) : (
        <StatusBadge>uploaded, processing</StatusBadge>
      )}
      {status === 'FAILED' && (
        <span class="upload-reason">
          {' '}
          {reason} {errorCode !== null && remedyFor(errorCode)} <a href={filePath(fileId)}>See its stages</a>
        </span>
      )}
    </>
  );
};

const Question = ({ existingId }: { readonly existingId: string | null }) => (
  <>
    <StatusBadge tone="warn">{existingId === null ? 'name is taken' : 'is here already'}</StatusBadge>{' '}
    <span class="upload-reason">
      {existingId === null ? (
        'A file of this name is in this place. It can be kept beside it, with a number behind its name.'
      ) : (
        <>
          A <a href={filePath(existingId)}>file of this name</a> is in this place. Is this its new version, or another
          file?
        </>
      )}
    </span>
  </>
);

const Progress = ({ upload: { file, state } }: { readonly upload: Upload }) => {
  switch (state.kind) {
    case 'waiting':
      return <StatusBadge>waiting for the others</StatusBadge>;
    case 'asking':
      return <Question existingId={state.existingId} />;
    case 'sending': {
      const { sentBytes, totalBytes } = state.progress;
      return (
        <>
          <progress aria-label={`Upload of ${file.name}`} max={Math.max(1, totalBytes)} value={sentBytes} />
          <span class="below">
            {navigator.onLine
              ? `Uploading: ${bytesOf(sentBytes)} of ${bytesOf(totalBytes)}`
              : 'The network is away; the upload continues by itself when it is back.'}
          </span>
        </>
      );
    }
    case 'completing':
      return <StatusBadge>checking</StatusBadge>;
    case 'done':
      return <Processed fileId={state.fileId} versionId={state.versionId} />;
    case 'failed':
      return (
        <>
          <StatusBadge tone="bad">not uploaded</StatusBadge> <span class="upload-reason">{state.message}</span>
        </>
      );
  }
};

const Answers = ({ upload: { id, name, state } }: { readonly upload: Upload }) => {
  if (state.kind !== 'asking') return null;
  const { existingId } = state;
  const ofFile = <span class="hidden-text"> {name}</span>;
  return (
    <>
      {existingId !== null && (
        <button type="button" class="button small" onClick={() => uploadAsVersion(id, existingId)}>
          New version{ofFile}
        </button>
      )}
      <button type="button" class="button small" onClick={() => void keepBoth(id)}>
        Keep both{ofFile}
      </button>
    </>
  );
};

const Line = ({ upload }: { readonly upload: Upload }) => {
  const { id, name, state } = upload;
  const ofFile = <span class="hidden-text"> {name}</span>;
  return (
    <li class="upload">
      <div class="upload-name">
        {state.kind === 'done' ? <a href={filePath(state.fileId)}>{name}</a> : <strong>{name}</strong>}
      </div>
      <div class="upload-state">
        <Progress upload={upload} />
      </div>
      <div class="actions">
        <Answers upload={upload} />
        {isUnfinished(upload) && (
          <button type="button" class="button small" onClick={() => cancelUpload(id)}>
            Cancel{ofFile}
          </button>
        )}
        {state.kind === 'failed' && state.mayRetry && (
          <button type="button" class="button small" onClick={() => retryUpload(id)}>
            Try again{ofFile}
          </button>
        )}
        {!isUnfinished(upload) && (
          <button type="button" class="button small quiet" onClick={() => dismissUploads([id])}>
            Dismiss{ofFile}
          </button>
        )}
      </div>
    </li>
  );
};

const summaryOf = (all: readonly Upload[]): string => {
  const count = (kind: Upload['state']['kind']): number => all.filter(({ state }) => state.kind === kind).length;
  const asking = count('asking');
  const left = all.filter(isUnfinished).length - asking;
  const failed = count('failed');
  return [
    asking > 0 ? `${countOf(asking, 'question', 'questions')} to answer` : '',
    left > 0 ? `${countOf(left, 'file')} to go` : '',
    count('done') > 0 ? `${count('done')} uploaded` : '',
    failed > 0 ? `${failed} not uploaded` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
};

/** Of all targets, or of the versions of one file. */
const isOf = (target: UploadTarget | undefined) => (upload: Upload) =>
  target === undefined || JSON.stringify(upload.target) === JSON.stringify(target);

export const UploadList = ({ target }: { readonly target?: UploadTarget }) => {
  const all = uploads.value.filter(isOf(target));
  if (all.length === 0) return null;
  const ended = all.filter((one) => !isUnfinished(one));
  return (
    <section class="section uploads" aria-label="Uploads">
      <div class="section-head">
        <h2>Uploads</h2>
        {ended.length > 1 && (
          <button type="button" class="button small" onClick={() => dismissUploads(ended.map(({ id }) => id))}>
            Dismiss those that ended
          </button>
        )}
      </div>
      <p class="help" role="status">
        {summaryOf(all)}
      </p>
      <ul>
        {all.map((upload) => (
          <Line key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
};
