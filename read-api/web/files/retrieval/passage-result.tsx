/** A passage that was found, with where it stands; it leads to the viewer. */
import type { RetrievalResult } from '../../../../packages/client/src/schemas';
import { StatusBadge } from '../../components/status-badge';
import { fileViewPath } from '../paths';
import { headingsOf, placeOf } from './citation-place';
import { Highlighted } from './highlighted';
import { type FileSearch, searchParameters } from './search-query';

const modalityNames: { readonly [modality in RetrievalResult['modality']]: string } = {
  text: 'text',
  image: 'picture',
  audio: 'audio',
  video: 'video',
  table: 'table',
  code: 'code',
};

interface ResultProps {
  readonly result: RetrievalResult;
  readonly search: FileSearch;
}

export const PassageResult = ({ result, search }: ResultProps) => {
  const { fileId, versionId, chunkId, filename, snippet, highlights, modality, citation } = result;
  const headings = headingsOf(citation);
  const href = fileViewPath(fileId, { chunk: chunkId, version: versionId, from: searchParameters(search) });
  return (
    <li>
      <div class="first">
        <a href={href}>
          {filename ?? 'A file without a name'} <span class="place">{placeOf(citation)}</span>
        </a>
        <StatusBadge>{modalityNames[modality]}</StatusBadge>
      </div>
      {headings !== '' && <p class="below">{headings}</p>}
      <p class={modality === 'table' || modality === 'code' ? 'snippet-text laid-out' : 'snippet-text'}>
        <Highlighted text={snippet} ranges={highlights} />
      </p>
    </li>
  );
};
