/** A file of subtitles, which plays nothing by itself: its lines with their times, the cited ones marked. */
import { AsyncContent } from '../../../components/async-content';
import { EmptyState } from '../../../components/empty-state';
import type { CitedPassage } from './cited-passage';
import { CueLines } from './cue-lines';
import { bestSegment, type Segment, segmentsOf } from './segments';
import { usePassages } from './use-passages';

interface Props {
  readonly fileId: string;
  readonly versionId: string;
  readonly passage: CitedPassage | undefined;
}

export const SubtitlesViewer = ({ fileId, versionId, passage }: Props) => {
  const passages = usePassages(fileId, { versionId, chunkId: passage?.chunkId });
  return (
    <section class="extracted" aria-label="Subtitles">
      <AsyncContent source={passages} rows={8}>
        {({ items }) => {
          const cited = new Set<Segment>();
          const segments = items.flatMap((chunk) => {
            const isCited = chunk.chunkId === passage?.chunkId;
            const own = segmentsOf(chunk, isCited ? passage.ranges : []);
            if (isCited) for (const segment of own) cited.add(segment);
            return own;
          });
          if (segments.length === 0)
            return <EmptyState title="There is no text to show">It has not been processed yet.</EmptyState>;
          return (
            <CueLines
              segments={segments}
              isCited={(segment) => cited.has(segment)}
              target={bestSegment([...cited])}
              targetKey={passage?.chunkId ?? ''}
            />
          );
        }}
      </AsyncContent>
      {passages.more !== undefined && (
        <button type="button" class="button" onClick={passages.more}>
          Show more of the file
        </button>
      )}
    </section>
  );
};
