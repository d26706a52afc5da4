/** Imports of files of places, and the form for another one. */
import { useState } from 'preact/hooks';
import { listPlaceImports } from '../../../../packages/client/src/operations';
import type { PlaceImport } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { Guide } from '../../components/guide';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { usePages } from '../../kernel/use-pages';
import type { PageProps } from '../../shell/section';
import { importPath } from '../paths';
import { ImportBar, ImportState, outcomesOf } from './import-progress';
import { NewImport } from './new-import';
import { TrySample } from './try-sample';

const columns: readonly Column<PlaceImport>[] = [
  {
    title: 'File',
    show: ({ importId, fileName, source, createdAt }) => (
      <>
        <a href={importPath(importId)}>{fileName}</a>
        <div class="below">From {source}</div>
        <div class="below narrow">
          <Timestamp at={createdAt} />
        </div>
      </>
    ),
  },
  {
    title: 'State',
    show: (one) => (
      <>
        <ImportState status={one.status} />
        {one.status === 'running' ? <ImportBar {...one} /> : <div class="below">{outcomesOf(one)}</div>}
      </>
    ),
  },
  { title: 'Started', kind: 'tight', isWide: true, show: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

const everyMilliseconds = 3_000;

export const ImportListPage = ({ query }: PageProps) => {
  const [isOpen, setOpen] = useState(query.has('new'));
  const pages = usePages(listPlaceImports({ limit: 20 }), { everyMilliseconds });
  return (
    <>
      <PageHeading title="Imports" lead="Files of places. A refused line does not stop the others.">
        <button type="button" class="button primary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Import a file
        </button>
      </PageHeading>
      {isOpen && <NewImport close={() => setOpen(false)} />}
      <PagedTable
        pages={pages}
        label="Imports"
        one="import"
        columns={columns}
        keyOf={({ importId }) => importId}
        empty={
          <EmptyState title="No imports yet">
            A file of places is CSV, JSON lines or GeoJSON, with an id, a name, a category and coordinates for each
            place. <Guide name="places" group="places" /> Start with a sample: <TrySample />
          </EmptyState>
        }
      />
    </>
  );
};
