/** One import: how far it is, and which lines were refused. */
import { useState } from 'preact/hooks';
import { getPlaceImport, listPlaceImportRefusals } from '../../../../packages/client/src/operations';
import type { ImportRefusal, PlaceImport } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import type { Column } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { bytesOf, countOf, numberOf } from '../../kernel/format';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { importsPath, placesPath } from '../paths';
import { cancelImport } from './file-import';
import { ImportBar, ImportState, mayCancel, outcomesOf } from './import-progress';

const everyMilliseconds = 2_000;

const columns: readonly Column<ImportRefusal>[] = [
  {
    title: 'Line',
    show: ({ line, field }) => (
      <>
        {line}
        <div class="below narrow mono">{field}</div>
      </>
    ),
  },
  { title: 'Field', isWide: true, show: ({ field }) => <span class="mono">{field === '' ? '—' : field}</span> },
  {
    title: 'Why',
    show: ({ expected, hint }) => (
      <>
        Must be {expected}
        {hint !== null && <div class="below">{hint}</div>}
      </>
    ),
  },
];

const Facts = ({ one }: { readonly one: PlaceImport }) => (
  <dl class="facts">
    <div>
      <dt>State</dt>
      <dd>
        <ImportState status={one.status} />
        {one.reason !== null && <div class="below">{one.reason}</div>}
      </dd>
    </div>
    <div>
      <dt>Read</dt>
      <dd>
        <ImportBar {...one} />
      </dd>
    </div>
    <div>
      <dt>Lines</dt>
      <dd>{outcomesOf(one)}</dd>
    </div>
    <div>
      <dt>File</dt>
      <dd>
        {one.format}, {bytesOf(one.size)}
      </dd>
    </div>
    <div>
      <dt>Source</dt>
      <dd>
        {one.source}
        {one.synthetic && ', synthetic'}
        {one.attribution !== null && <div class="below">{one.attribution}</div>}
      </dd>
    </div>
    <div>
      <dt>Started</dt>
      <dd>
        <Timestamp at={one.createdAt} />
      </dd>
    </div>
  </dl>
);

type Refused = Pick<PlaceImport, 'importId' | 'refused' | 'refusedListed'>;

/** `1,234 lines were refused; the first 1,000 are listed.` */
const refusedSentence = ({ refused, refusedListed }: Omit<Refused, 'importId'>): string => {
  const sum = `${countOf(refused, 'line')} ${refused === 1 ? 'was' : 'were'} refused`;
  return refused > refusedListed ? `${sum}; the first ${numberOf(refusedListed)} are listed.` : `${sum}.`;
};

const Refusals = ({ importId, ...counts }: Refused) => (
  <section class="section">
    <h2>Refused lines</h2>
    {counts.refused > 0 && <p class="refused-lines">{refusedSentence(counts)}</p>}
    <PagedTable
      pages={usePages(listPlaceImportRefusals({ importId, limit: 50 }), { everyMilliseconds })}
      label="Refused lines"
      one="line"
      columns={columns}
      keyOf={({ line }) => String(line)}
      empty={<p class="notice">No line was refused.</p>}
      rows={3}
    />
  </section>
);

export const ImportPage = ({ params }: PageProps) => {
  const { importId = '' } = params;
  const [isCancelling, setCancelling] = useState(false);
  const one = useResource(getPlaceImport({ importId }), { everyMilliseconds });
  const { content } = one;
  const cancel = async () => {
    const problem = await cancelImport(importId);
    one.reload();
    return problem;
  };
  return (
    <>
      <PageHeading title={content?.fileName ?? 'Import'} trail={[{ label: 'Imports', path: importsPath }]}>
        {content !== undefined && content.recorded > 0 && (
          <a class="button" href={placesPath}>
            Find places
          </a>
        )}
        {content !== undefined && mayCancel(content.status) && (
          <button type="button" class="button danger" onClick={() => setCancelling(true)}>
            Cancel the import
          </button>
        )}
      </PageHeading>
      <AsyncContent source={one} rows={3}>
        {(found) => (
          <>
            <Facts one={found} />
            <Refusals importId={importId} refused={found.refused} refusedListed={found.refusedListed} />
          </>
        )}
      </AsyncContent>
      {isCancelling && (
        <ConfirmDialog
          title="Cancel the import?"
          act="Cancel the import"
          keep="Keep importing"
          isDangerous
          success="The import was canceled."
          onAct={cancel}
          close={() => setCancelling(false)}
        >
          <p>The rest of the file is not read. Lines already recorded stay.</p>
        </ConfirmDialog>
      )}
    </>
  );
};
