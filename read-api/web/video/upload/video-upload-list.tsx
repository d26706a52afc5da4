/** Takes films, several or one in place of another, and shows how far each is. */
import { useId } from 'preact/hooks';
import { StatusBadge } from '../../components/status-badge';
import { bytesOf } from '../../kernel/format';
import { videoPath } from '../paths';
import { videoEndings } from './video-upload-service';
import {
  addVideoUploads,
  dismissVideoUpload,
  isUnfinished,
  retryVideoUpload,
  stopVideoUpload,
  type VideoUpload,
  videoUploads,
} from './video-uploads';

const Progress = ({ upload: { file, state } }: { readonly upload: VideoUpload }) => {
  switch (state.kind) {
    case 'waiting':
      return <StatusBadge>waiting for the others</StatusBadge>;
    case 'sending': {
      const { sentBytes, totalBytes } = state.progress;
      return (
        <>
          <progress aria-label={`Upload of ${file.name}`} max={Math.max(1, totalBytes)} value={sentBytes} />
          <span class="below">
            {navigator.onLine
              ? `${bytesOf(sentBytes)} of ${bytesOf(totalBytes)}`
              : 'The network is away; the upload continues by itself when it is back.'}
          </span>
        </>
      );
    }
    case 'done':
      return <StatusBadge tone="good">uploaded</StatusBadge>;
    case 'failed':
      return (
        <>
          <StatusBadge tone="bad">not uploaded</StatusBadge> <span class="upload-reason">{state.message}</span>
        </>
      );
  }
};

interface ActionProps {
  readonly label: string;
  readonly name: string;
  readonly act: () => void;
}

const Action = ({ label, name, act }: ActionProps) => (
  <button type="button" class="button small" onClick={act}>
    {label}
    <span class="hidden-text"> {name}</span>
  </button>
);

const Line = ({ upload }: { readonly upload: VideoUpload }) => {
  const { id, file, state } = upload;
  const { name } = file;
  return (
    <li class="upload">
      <div class="upload-name">
        {state.kind === 'done' ? <a href={videoPath(state.videoId)}>{name}</a> : <strong>{name}</strong>}
      </div>
      <div class="upload-state">
        <Progress upload={upload} />
      </div>
      <div class="actions">
        {isUnfinished(upload) && <Action label="Stop" name={name} act={() => stopVideoUpload(id)} />}
        {state.kind === 'failed' && <Action label="Try again" name={name} act={() => retryVideoUpload(id)} />}
        {!isUnfinished(upload) && <Action label="Dismiss" name={name} act={() => dismissVideoUpload(id)} />}
      </div>
    </li>
  );
};

interface FilmFieldProps {
  readonly label: string;
  readonly isMultiple?: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}

export const FilmField = ({ label, isMultiple = false, onChoose }: FilmFieldProps) => {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple={isMultiple}
        accept={['video/*', ...videoEndings].join(',')}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
};

export const UploadLines = ({ uploads }: { readonly uploads: readonly VideoUpload[] }) =>
  uploads.length === 0 ? null : (
    <ul>
      {uploads.map((upload) => (
        <Line key={upload.id} upload={upload} />
      ))}
    </ul>
  );

export const VideoUploads = () => (
  <section class="uploads" aria-label="Uploads">
    <FilmField label="Upload videos" isMultiple onChoose={(files) => addVideoUploads(files)} />
    <UploadLines uploads={videoUploads.value} />
  </section>
);
