/** A file at the passage that a search or an answer cites. */
import { getFile, getFileChunk, searchFiles } from '../../../../../packages/client/src/operations';
import type { FileItem, RetrievalAnswer } from '../../../../../packages/client/src/schemas';
import { AsyncContent } from '../../../components/async-content';
import { EmptyState } from '../../../components/empty-state';
import { type Crumb, PageHeading } from '../../../components/page-heading';
import { ProblemMessage } from '../../../components/problem-message';
import { withQuery } from '../../../kernel/router';
import { useResource } from '../../../kernel/use-resource';
import type { PageProps } from '../../../shell/section';
import { answersPath, filePath, fileViewPath, searchPath } from '../../paths';
import { headingsOf, placeOf } from '../citation-place';
import { fileSearchOf, searchHref } from '../search-query';
import { useQuestion } from '../use-question';
import { CitationSteps } from './citation-steps';
import { type CitedPassage, citedPassageOf } from './cited-passage';
import { ExtractedText } from './extracted-text';
import { useFileAddress } from './file-address';
import { LinesViewer } from './lines/lines-viewer';
import { MediaViewer } from './media-viewer';
import { LazyPdfViewer } from './pdf/lazy-pdf-viewer';
import { PictureViewer } from './picture-viewer';
import { SlideViewer } from './slide-viewer';
import { SubtitlesViewer } from './subtitles-viewer';
import { TableViewer } from './table/table-viewer';

interface ViewerProps {
  readonly file: FileItem;
  readonly versionId: string;
  readonly passage: CitedPassage | undefined;
}

const PdfFile = ({ file: { fileId }, versionId, passage }: ViewerProps) => (
  <LazyPdfViewer address={useFileAddress(fileId, versionId)} passage={passage} />
);

const TextFile = ({ file: { fileId }, versionId, passage }: ViewerProps) => (
  <LinesViewer fileId={fileId} versionId={versionId} address={useFileAddress(fileId, versionId)} passage={passage} />
);

const PictureFile = ({ file: { fileId, filename }, versionId, passage }: ViewerProps) => (
  <PictureViewer
    fileId={fileId}
    versionId={versionId}
    filename={filename ?? 'Picture'}
    address={useFileAddress(fileId, versionId)}
    passage={passage}
  />
);

const MediaFile = ({ file: { fileId, filename, mimeType, supportedModalities }, versionId, passage }: ViewerProps) => (
  <MediaViewer
    filename={filename ?? 'Recording'}
    isVideo={supportedModalities.includes('video') || mimeType.startsWith('video/')}
    address={useFileAddress(fileId, versionId)}
    passage={passage}
  />
);

/** By the name, as their reader knows them. */
const isSubtitles = ({ filename, mimeType }: FileItem): boolean =>
  /\.(?:srt|vtt)$/i.test(filename ?? '') && !/^(?:audio|video)\//.test(mimeType);

/** Without a citation, by the declared type; the viewer reports bytes of another one. */
const kindOf = ({ file: { mimeType }, passage }: ViewerProps): CitedPassage['citation']['type'] | 'unknown' => {
  if (passage !== undefined) return passage.citation.type;
  if (mimeType === 'application/pdf') return 'page';
  if (mimeType.startsWith('image/')) return 'image_region';
  return /^(?:audio|video)\//.test(mimeType) ? 'timestamp' : 'unknown';
};

const Viewer = (props: ViewerProps) => {
  const { file, versionId, passage } = props;
  const { fileId } = file;
  if (isSubtitles(file) && (passage === undefined || passage.citation.type === 'timestamp'))
    return <SubtitlesViewer fileId={fileId} versionId={versionId} passage={passage} />;
  switch (kindOf(props)) {
    case 'page':
      return <PdfFile {...props} />;
    case 'line_range':
      return <TextFile {...props} />;
    case 'image_region':
      return <PictureFile {...props} />;
    case 'timestamp':
      return <MediaFile {...props} />;
    case 'row':
      return passage === undefined ? null : <TableViewer fileId={fileId} versionId={versionId} passage={passage} />;
    case 'slide':
      return passage === undefined ? null : <SlideViewer fileId={fileId} versionId={versionId} passage={passage} />;
    case 'paragraph':
    case 'unknown':
      return <ExtractedText fileId={fileId} versionId={versionId} passage={passage} />;
  }
};

/** What led here, to be handed on and gone back to. */
const originOf = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => name !== 'chunk' && name !== 'version'));

const trailOf = (query: URLSearchParams, file: Pick<FileItem, 'fileId' | 'filename'>): readonly Crumb[] => {
  const ofFile = { label: file.filename ?? 'File', path: filePath(file.fileId) };
  const question = query.get('question') ?? '';
  if (question !== '') {
    const { quote: _quote, ...fileQuestion } = originOf(query);
    return [{ label: 'Answer', path: withQuery(answersPath, fileQuestion) }, ofFile];
  }
  const search = fileSearchOf(query);
  if (search.query !== '') return [{ label: `Results for “${search.query}”`, path: searchHref(search) }, ofFile];
  return [{ label: 'Search files', path: searchPath }, ofFile];
};

/** The search that led here, in this file alone: for the words to mark, and for the passages before and after. */
const useResultsInFile = (fileId: string, query: URLSearchParams): RetrievalAnswer['results'] => {
  const { query: words, mode } = fileSearchOf(query);
  const request = searchFiles({ body: { query: words, mode, topK: 50, scope: { fileIds: [fileId] } } });
  return useQuestion(words === '' ? undefined : request).content?.results ?? [];
};

const Gone = ({ fileId }: { readonly fileId: string }) => (
  <EmptyState title="The file has changed since">
    The version that answers now does not have this passage. <a href={fileViewPath(fileId)}>Open the file</a>, or search
    again.
  </EmptyState>
);

/** A citation is of one version, and stays with it. */
const EarlierVersion = ({ fileId }: { readonly fileId: string }) => (
  <p class="notice" role="status">
    This is the version that was cited. A newer one answers now.{' '}
    <a href={fileViewPath(fileId)}>Open the newer version</a>
  </p>
);

export const FileViewPage = ({ params, query }: PageProps) => {
  const { fileId = '' } = params;
  const chunkId = query.get('chunk') ?? '';
  const file = useResource(getFile({ fileId }));
  const version = query.get('version') ?? '';
  const chunk = useResource(
    chunkId === '' ? undefined : getFileChunk({ fileId, chunkId, ...(version === '' ? {} : { versionId: version }) }),
  );
  const results = useResultsInFile(fileId, query);
  const cited = chunk.isOld ? undefined : chunk.content;
  const result = results.find((one) => one.chunkId === chunkId);
  const passage = cited === undefined ? undefined : citedPassageOf(cited, { result, quote: query.get('quote') ?? '' });
  const isGone = chunkId !== '' && chunk.problem?.code === 'chunk-unknown';
  const isWaiting = chunkId !== '' && passage === undefined;
  const { content } = file;
  const lead =
    passage === undefined
      ? undefined
      : [placeOf(passage.citation), headingsOf(passage.citation)].filter((one) => one !== '').join(' · ');
  return (
    <>
      <PageHeading
        title={content?.filename ?? 'File'}
        trail={trailOf(query, { fileId, filename: content?.filename ?? null })}
        {...(lead === undefined ? {} : { lead })}
      />
      {passage !== undefined && (
        <CitationSteps
          results={results}
          chunkId={chunkId}
          hrefOf={(one) => fileViewPath(fileId, { chunk: one.chunkId, version: one.versionId, from: originOf(query) })}
        />
      )}
      {version !== '' &&
        content !== undefined &&
        content.currentVersionId !== null &&
        version !== content.currentVersionId && <EarlierVersion fileId={fileId} />}
      {isGone && <Gone fileId={fileId} />}
      {!isGone && chunk.problem !== undefined && file.problem === undefined && chunk.problem.status !== 401 && (
        <ProblemMessage problem={chunk.problem} retry={chunk.reload} />
      )}
      {!isGone && (
        <AsyncContent source={file} rows={8}>
          {(found) =>
            isWaiting ? (
              <div class="skeleton" role="status" aria-label="Loading" />
            ) : (
              <Viewer file={found} versionId={cited?.versionId ?? version} passage={passage} />
            )
          }
        </AsyncContent>
      )}
    </>
  );
};
