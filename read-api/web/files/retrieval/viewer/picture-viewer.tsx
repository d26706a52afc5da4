/** A picture with the region that was cited, and the text that was recognised there. */
import { useState } from 'preact/hooks';
import { ProblemMessage } from '../../../components/problem-message';
import { DownloadButton } from '../../file/download';
import { Highlighted } from '../highlighted';
import type { CitedPassage } from './cited-passage';
import { ExtractedText } from './extracted-text';
import type { FileAddressSource } from './file-address';
import type { MarkedBox } from './marked-box';
import { RegionBoxes } from './region-boxes';

interface Props {
  readonly fileId: string;
  readonly versionId: string;
  readonly filename: string;
  readonly address: FileAddressSource;
  readonly passage: CitedPassage | undefined;
}

/** Browsers turn a picture as its EXIF data do, and so are the boxes. */
const boxesOf = ({ citation, words }: CitedPassage): readonly MarkedBox[] => [
  ...(citation.regions ?? []).map((box) => ({ box, kind: 'passage' }) as const),
  ...words.map(({ box }) => ({ box, kind: 'word' }) as const),
];

export const PictureViewer = ({ fileId, versionId, filename, address, passage }: Props) => {
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading');
  const { content, problem, reload } = address;
  if (problem !== undefined) return <ProblemMessage problem={problem} retry={reload} />;
  return (
    <section class="picture-viewer" aria-label="Picture">
      {state === 'failed' ? (
        <>
          <p class="notice">
            This browser cannot draw the format of the picture, so the text that was recognised in it is shown.{' '}
            <DownloadButton fileId={fileId} isSmall what={filename} {...(versionId === '' ? {} : { versionId })} />
          </p>
          <ExtractedText fileId={fileId} versionId={versionId} passage={passage} />
        </>
      ) : (
        content !== undefined && (
          <div class="picture">
            <img src={content.url} alt={filename} onLoad={() => setState('drawn')} onError={() => setState('failed')} />
            {state === 'drawn' && passage !== undefined && <RegionBoxes boxes={boxesOf(passage)} />}
          </div>
        )
      )}
      {passage !== undefined && state !== 'failed' && (
        <div class="passage cited">
          <p class="passage-place">Recognised text</p>
          <div class="passage-text">
            <Highlighted text={passage.content} ranges={passage.ranges} />
          </div>
        </div>
      )}
    </section>
  );
};
