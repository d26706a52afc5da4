/** Uploads archives, lists them with their states, and searches their documents. */
import { EmptyState } from '../../../../read-api/web/components/empty-state';
import { FileUpload } from '../../../../read-api/web/components/file-upload';
import { FilterField } from '../../../../read-api/web/components/filter-field';
import { PageHeading } from '../../../../read-api/web/components/page-heading';
import { ProblemMessage } from '../../../../read-api/web/components/problem-message';
import { type Column, Table } from '../../../../read-api/web/components/table';
import { send } from '../../../../read-api/web/kernel/api-client';
import type { UploadService } from '../../../../read-api/web/kernel/upload';
import { useFilterInput } from '../../../../read-api/web/kernel/use-filter-input';
import { useResource } from '../../../../read-api/web/kernel/use-resource';
import type { PageProps } from '../../../../read-api/web/shell/section';
import {
  type Archive,
  type FoundDocument,
  listArchives,
  openArchive,
  planArchiveUpload,
  searchArchives,
  signArchivePart,
  storeArchive,
} from './client.page';

const content = async <Content,>(answer: ReturnType<typeof send<Content>>): Promise<Content> => {
  const got = await answer;
  if (!got.ok) throw new Error(got.problem.detail);
  return got.content;
};

const uploadService = (): UploadService<string> => {
  let archiveId = '';
  return {
    begin: async ({ name, size, lastModified }) => {
      ({ archiveId } = await content(send(openArchive({ body: { name, size, lastModified } }))));
      return content(send(planArchiveUpload({ archiveId })));
    },
    sign: (body) => content(send(signArchivePart({ archiveId, body }))),
    complete: async (parts) => (await content(send(storeArchive({ archiveId, body: { parts } })))).archiveId,
  };
};

const archiveColumns: readonly Column<Archive>[] = [
  {
    title: 'Archive',
    show: ({ name, reason }) => (
      <>
        {name}
        {reason !== null && <div class="below">{reason}</div>}
      </>
    ),
  },
  { title: 'State', show: ({ state }) => state },
  { title: 'Documents', kind: 'number', show: ({ documents }) => documents },
];

const documentColumns: readonly Column<FoundDocument>[] = [
  {
    title: 'Document',
    show: ({ path, excerpt }) => (
      <>
        {path}
        <div class="below">{excerpt.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</div>
      </>
    ),
  },
  { title: 'Score', kind: 'number', show: ({ score }) => score.toFixed(2) },
];

const Found = ({ q }: { readonly q: string }) => {
  const { content: found, problem } = useResource(searchArchives({ q }));
  if (problem !== undefined) return <ProblemMessage problem={problem} />;
  if (found?.items.length === 0) return <EmptyState title="No document has these words" />;
  return (
    <Table
      label="Documents"
      columns={documentColumns}
      rows={found?.items ?? []}
      keyOf={({ archiveId, path }) => `${archiveId} ${path}`}
    />
  );
};

export const ArchivesPage = ({ query }: PageProps) => {
  const { applied, typed, type } = useFilterInput('/console/archives', query, ['q']);
  const { content: list, reload } = useResource(listArchives({}), { everyMilliseconds: 500 });
  return (
    <>
      <PageHeading title="Archives" lead="Archives, extracted in a sandbox, and the documents in them." />
      <FileUpload name="archives" label="Archive" accept=".tgz" service={uploadService()} onDone={reload} />
      <Table label="Archives" columns={archiveColumns} rows={list?.items ?? []} keyOf={({ archiveId }) => archiveId} />
      <search class="filters">
        <FilterField label="Words" isSearch value={typed.q} onType={(value) => type('q', value)} />
      </search>
      {applied.q !== '' && <Found q={applied.q} />}
    </>
  );
};
