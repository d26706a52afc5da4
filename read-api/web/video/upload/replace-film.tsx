/** Takes another film in place of the one that a video is. It plays as it is until everything is made of the new one. */
import { useEffect, useState } from 'preact/hooks';
import type { Video, VideoProcessing } from '../../../../packages/client/src/schemas';
import { Timestamp } from '../../components/timestamp';
import { bytesOf } from '../../kernel/format';
import { AbortDialog } from '../library/abort-dialog';
import { FilmField, UploadLines } from './video-upload-list';
import { addVideoUploads, isUnfinished, videoUploads } from './video-uploads';

interface Props {
  readonly video: Video;
  readonly processing: VideoProcessing;
  readonly onUploaded: () => void;
  readonly onAborted: () => void;
}

export const ReplaceFilm = ({ video, processing, onUploaded, onAborted }: Props) => {
  const [isAborting, setAborting] = useState(false);
  const { videoId } = video;
  const { sourceUpload, generationStatus } = processing;
  const uploads = videoUploads.value.filter(({ replacedVideoId }) => replacedVideoId === videoId);
  const isSending = uploads.some(isUnfinished);
  const done = uploads.filter(({ state: { kind } }) => kind === 'done').length;
  // Also where a person stopped it: the service knows what is there already.
  useEffect(() => {
    if (uploads.length > 0 && !isSending) onUploaded();
  }, [done, isSending]);
  return (
    <section class="uploads" aria-label="Film">
      <h3>Film</h3>
      {sourceUpload !== undefined && !isSending && (
        <p class="help" role="status">
          The upload of another film of {bytesOf(sourceUpload.fileSize)} is not completed: choose the same file to
          continue it. Otherwise it ends <Timestamp at={sourceUpload.expiresAt} />.{' '}
          <button type="button" class="button small" onClick={() => setAborting(true)}>
            Abort it
          </button>
        </p>
      )}
      {generationStatus === 'processing' && !isSending && (
        <p class="help">The film can be replaced once the video is processed.</p>
      )}
      {generationStatus !== 'processing' && !isSending && (
        <FilmField label="Replace the film" onChoose={(files) => addVideoUploads(files, videoId)} />
      )}
      <UploadLines uploads={uploads} />
      {isAborting && <AbortDialog video={video} onDone={onAborted} close={() => setAborting(false)} />}
    </section>
  );
};
