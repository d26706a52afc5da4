/** What was extracted of a file, passage after passage, with the cited one marked: for formats that browsers do not draw. */
import type { ListedFileChunk } from '../../../../../packages/client/src/schemas';
import { AsyncContent } from '../../../components/async-content';
import { EmptyState } from '../../../components/empty-state';
import { headingsOf, placeOf } from '../citation-place';
import { Highlighted } from '../highlighted';
import type { CitedPassage } from './cited-passage';
import { useScrollToCited } from './scroll-to-cited';
import { usePassages } from './use-passages';

interface PassageProps {
  readonly chunk: ListedFileChunk;
  readonly cited: CitedPassage | undefined;
  /** Of the passage before. */
  readonly headingsBefore: string;
}

const Passage = ({ chunk: { chunkId, content, citation, modality }, cited, headingsBefore }: PassageProps) => {
  const isCited = cited?.chunkId === chunkId;
  const element = useScrollToCited<HTMLDivElement>(isCited ? chunkId : '');
  const headings = headingsOf(citation);
  const isLaidOut = modality === 'table' || modality === 'code';
  return (
    <>
      {headings !== '' && headings !== headingsBefore && <h2 class="passage-headings">{headings}</h2>}
      <div class={isCited ? 'passage cited' : 'passage'} {...(isCited ? { ref: element } : {})}>
        <p class="passage-place">
          {placeOf(citation)}
          {isCited && <span class="tag">cited</span>}
        </p>
        <div class={isLaidOut ? 'passage-text laid-out' : 'passage-text'}>
          <Highlighted text={content} ranges={isCited ? cited.ranges : []} />
        </div>
      </div>
    </>
  );
};

interface Props {
  readonly fileId: string;
  readonly versionId: string;
  readonly passage: CitedPassage | undefined;
  /** Why this is shown and not the file itself. */
  readonly why?: string;
}

export const ExtractedText = ({ fileId, versionId, passage, why }: Props) => {
  const passages = usePassages(fileId, { versionId, chunkId: passage?.chunkId });
  return (
    <section class="extracted" aria-label="Extracted text">
      {why !== undefined && <p class="faint">{why}</p>}
      <AsyncContent source={passages} rows={8}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="There is no text to show">
              The file has no text, or it has not been processed yet.
            </EmptyState>
          ) : (
            <>
              {items.map((chunk, at) => (
                <Passage
                  key={chunk.chunkId}
                  chunk={chunk}
                  cited={passage}
                  headingsBefore={at === 0 ? '' : headingsOf((items[at - 1] as ListedFileChunk).citation)}
                />
              ))}
              {passages.more !== undefined && (
                <button type="button" class="button" onClick={passages.more}>
                  Show more of the file
                </button>
              )}
            </>
          )
        }
      </AsyncContent>
    </section>
  );
};
