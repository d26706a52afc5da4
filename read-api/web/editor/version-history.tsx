/** Who changed a document, when: each entry opens the version that it made. */
import { listDocumentVersions, listTenantDocumentVersions } from '../../../packages/client/src/operations';
import type { DocumentVersion } from '../../../packages/client/src/schemas';
import { Guide } from '../components/guide';
import { PagedTable } from '../components/paged-table';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { usePages } from '../kernel/use-pages';
import { Reference } from '../references/reference';
import { versionPath } from './paths';

const kinds: Readonly<Record<DocumentVersion['kind'], string>> = {
  edits: 'Edits',
  named: 'Named version',
  restored: 'Restored',
  'before-restore': 'Before a restore',
};

const labelOfVersion = ({ kind, name, restoredVersion }: DocumentVersion): string => {
  if (name !== null) return name;
  return kind === 'restored' && restoredVersion !== null ? `Restored version ${restoredVersion}` : kinds[kind];
};

const rangeOf = ({ fromVersion, version }: DocumentVersion): string =>
  fromVersion === version ? `Version ${version}` : `Versions ${fromVersion} to ${version}`;

/** Administrators without a role see no content, so nothing opens. */
const columnsFor = (documentId: string, mayOpen: boolean): readonly Column<DocumentVersion>[] => [
  {
    title: 'Change',
    show: (entry) => (
      <>
        {mayOpen ? (
          <a href={versionPath(documentId, entry.version, entry.fromVersion - 1)}>{labelOfVersion(entry)}</a>
        ) : (
          labelOfVersion(entry)
        )}
        <div class="below">{rangeOf(entry)}</div>
        <div class="below narrow">
          <Timestamp at={entry.at} />
        </div>
      </>
    ),
  },
  { title: 'By', show: ({ author }) => <Reference kind="principal" id={author} /> },
  { title: 'At', kind: 'tight', isWide: true, show: ({ at }) => <Timestamp at={at} /> },
];

interface Props {
  readonly documentId: string;
  /** The caller has a role in the document. */
  readonly isMember: boolean;
  /** Where all events of the document are; undefined: not for this reader. */
  readonly eventsHref: string | undefined;
}

export const VersionHistory = ({ documentId, isMember, eventsHref }: Props) => {
  const list = isMember ? listDocumentVersions : listTenantDocumentVersions;
  const pages = usePages(list({ documentId, limit: 20 }));
  return (
    <section class="section">
      <h2>History</h2>
      <p class="help">
        Changes of the drawing. New names and changes of access are not versions
        {eventsHref === undefined ? (
          '.'
        ) : (
          <>
            : they are among the <a href={eventsHref}>events</a>.
          </>
        )}
      </p>
      {!isMember && <p class="help">Only members of the document can open its versions.</p>}
      <PagedTable
        pages={pages}
        label="History"
        one="entry"
        many="entries"
        columns={columnsFor(documentId, isMember)}
        keyOf={({ kind, version, fromVersion }) => `${kind} ${version} ${fromVersion}`}
        empty={
          <p class="notice">
            The drawing has not changed yet. People draw in applications that use the editor engine, programs draw by
            the API. <Guide name="editor" group="editor" />
          </p>
        }
        rows={3}
      />
    </section>
  );
};
