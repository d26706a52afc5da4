/** Audio or video, which begins at the line in which the cited words are spoken, and the lines of the passage with their times. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ProblemMessage } from '../../../components/problem-message';
import type { CitedPassage } from './cited-passage';
import { CueLines } from './cue-lines';
import type { FileAddressSource } from './file-address';
import { bestSegment, segmentsOf } from './segments';

interface Props {
  readonly filename: string;
  readonly isVideo: boolean;
  readonly address: FileAddressSource;
  readonly passage: CitedPassage | undefined;
}

export const MediaViewer = ({ filename, isVideo, address, passage }: Props) => {
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const segments = passage === undefined ? [] : segmentsOf(passage, passage.ranges);
  const start = bestSegment(segments)?.timestampStartMs ?? 0;
  const seek = (milliseconds: number): void => {
    if (player.current !== null) player.current.currentTime = milliseconds / 1_000;
  };
  useEffect(() => seek(start), [start, passage?.chunkId]);
  const { content, problem, reload } = address;
  if (problem !== undefined) return <ProblemMessage problem={problem} retry={reload} />;
  const media = {
    ref: player,
    src: content?.url ?? '',
    controls: true,
    preload: 'metadata',
    'aria-label': filename,
    onLoadedMetadata: () => seek(start),
    onError: () => setFailed(true),
  } as const;
  return (
    <section class="media-viewer" aria-label="Player">
      {hasFailed && <p class="notice">This browser cannot play the format of the file. Download it to play it.</p>}
      {content !== undefined && !hasFailed && (isVideo ? <video {...media} /> : <audio {...media} />)}
      {passage !== undefined && (
        <div class="passage cited">
          <CueLines segments={segments} isCited={({ ranges }) => ranges.length > 0} onTime={seek} />
        </div>
      )}
    </section>
  );
};
