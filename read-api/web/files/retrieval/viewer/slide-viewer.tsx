/** A slide as its texts, each at its place, with the cited ones marked. Slides themselves are not drawn. */
import type { ListedFileChunk } from '../../../../../packages/client/src/schemas';
import { AsyncContent } from '../../../components/async-content';
import { Highlighted } from '../highlighted';
import type { CitedPassage } from './cited-passage';
import { RegionBoxes } from './region-boxes';
import { useScrollToCited } from './scroll-to-cited';
import { slideBoxesOf } from './slide-boxes';
import { usePassages } from './use-passages';

interface TextProps {
  readonly chunk: ListedFileChunk;
  readonly passage: CitedPassage;
}

const SlideText = ({ chunk: { chunkId, content, citation }, passage }: TextProps) => {
  const isCited = chunkId === passage.chunkId;
  const element = useScrollToCited<HTMLDivElement>(isCited ? chunkId : '');
  return (
    <div class={isCited ? 'passage cited' : 'passage'} {...(isCited ? { ref: element } : {})}>
      <p class="passage-place">
        {citation.slidePart === 'notes' ? 'Notes' : 'On the slide'}
        {isCited && <span class="tag">cited</span>}
      </p>
      <div class="passage-text">
        <Highlighted text={content} ranges={isCited ? passage.ranges : []} />
      </div>
    </div>
  );
};

interface Props {
  readonly fileId: string;
  readonly versionId: string;
  readonly passage: CitedPassage;
}

export const SlideViewer = ({ fileId, versionId, passage }: Props) => {
  const passages = usePassages(fileId, { versionId, chunkId: passage.chunkId });
  const { slideNumber } = passage.citation;
  return (
    <AsyncContent source={passages} rows={8}>
      {({ items }) => {
        const ofSlide = items.filter(({ citation }) => citation.slideNumber === slideNumber);
        const boxes = ofSlide.flatMap((chunk) => slideBoxesOf(chunk, passage));
        return (
          <section class="slide-viewer" aria-label={`Slide ${slideNumber ?? 1}`}>
            {boxes.length > 0 && (
              <figure>
                <div class="slide">
                  <RegionBoxes boxes={boxes} />
                </div>
                <figcaption class="faint">
                  Where the texts stand, not how the slide looks; what is cited is darker.
                </figcaption>
              </figure>
            )}
            <div>
              {ofSlide.map((chunk) => (
                <SlideText key={chunk.chunkId} chunk={chunk} passage={passage} />
              ))}
            </div>
          </section>
        );
      }}
    </AsyncContent>
  );
};
