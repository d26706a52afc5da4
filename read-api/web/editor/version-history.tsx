/** Who changed a document, when: each version opens, and new titles stand between them. */
import { listDocumentVersions, listTenantDocumentVersions } from '../../../packages/client/src/operations';
import type { DocumentVersion } from '../../../packages/client/src/schemas';
import { Guide } from '../components/guide';
import { PagedTable } from '../components/paged-table';
import { Snippet } from '../components/snippet';
import type { Column } from '../components/table';
import { Timestamp } from '../components/timestamp';
import { terminalPath } from '../identity/fixed-paths';
import { hasScope } from '../kernel/permissions';
import { usePages } from '../kernel/use-pages';
import { streamPath } from '../platform/paths';
import { Actor, Reference } from '../references/reference';
import { drawCommand } from './draw-command';
import { documentStream, versionPath } from './paths';
import { type TitleChange, useTitleChanges } from './title-changes';

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

/** Others edited between the first and the last of these versions. */
const isShared = (entry: DocumentVersion, all: readonly DocumentVersion[]): boolean =>
  entry.kind === 'edits' &&
  all.some(
    ({ kind, author, version, fromVersion }) =>
      kind === 'edits' && author !== entry.author && fromVersion <= entry.version && version >= entry.fromVersion,
  );

type Entry =
  | { readonly kind: 'version'; readonly version: DocumentVersion; readonly isShared: boolean }
  | { readonly kind: 'title'; readonly change: TitleChange };

/** Both are newest first. Changes older than the last version that is loaded wait for the rest of the versions. */
const entriesOf = (
  versions: readonly DocumentVersion[],
  changes: readonly TitleChange[],
  isWhole: boolean,
): readonly Entry[] => {
  let next = 0;
  const until = (isNext: (change: TitleChange) => boolean): readonly Entry[] => {
    const from = next;
    while (next < changes.length && changes.slice(next, next + 1).every(isNext)) next += 1;
    return changes.slice(from, next).map((change) => ({ kind: 'title', change }));
  };
  const entries = versions.flatMap((version): readonly Entry[] => [
    ...until(({ at }) => at > version.at),
    { kind: 'version', version, isShared: isShared(version, versions) },
  ]);
  return isWhole ? [...entries, ...until(() => true)] : entries;
};

const atOf = (entry: Entry): string => (entry.kind === 'version' ? entry.version.at : entry.change.at);

const keyOf = (entry: Entry): string => {
  if (entry.kind === 'title') return `${entry.change.at} ${entry.change.text}`;
  const { kind, version, fromVersion } = entry.version;
  return `${kind} ${version} ${fromVersion}`;
};

/** Administrators without a role see no content, so nothing opens. */
const columnsFor = (documentId: string, mayOpen: boolean): readonly Column<Entry>[] => [
  {
    title: 'Change',
    show: (entry) => (
      <>
        {entry.kind === 'title' ? (
          entry.change.text
        ) : (
          <>
            {mayOpen ? (
              <a href={versionPath(documentId, entry.version.version, entry.version.fromVersion - 1)}>
                {labelOfVersion(entry.version)}
              </a>
            ) : (
              labelOfVersion(entry.version)
            )}
            <div class="below">
              {rangeOf(entry.version)}
              {entry.isShared && ', edits of others among them'}
            </div>
          </>
        )}
        <div class="below narrow">
          <Timestamp at={atOf(entry)} />
        </div>
      </>
    ),
  },
  {
    title: 'By',
    show: (entry) =>
      entry.kind === 'title' ? (
        <Actor actor={entry.change.by} />
      ) : (
        <Reference kind="principal" id={entry.version.author} isShort />
      ),
  },
  { title: 'At', kind: 'tight', isWide: true, show: (entry) => <Timestamp at={atOf(entry)} /> },
];

interface Props {
  readonly documentId: string;
  /** The caller has a role in the document. */
  readonly isMember: boolean;
  /** The role lets the caller edit. */
  readonly mayDraw: boolean;
}

export const VersionHistory = ({ documentId, isMember, mayDraw }: Props) => {
  const list = isMember ? listDocumentVersions : listTenantDocumentVersions;
  const pages = usePages(list({ documentId, limit: 20 }));
  const changes = useTitleChanges(documentId);
  const items = pages.items && entriesOf(pages.items, changes, pages.more === undefined);
  return (
    <section class="section">
      <h2>History</h2>
      <p class="help">
        {hasScope('platform:read') ? (
          <>
            Changes of the drawing and of the title. Changes of access are among the{' '}
            <a href={streamPath(documentStream(documentId))}>events</a>.
          </>
        ) : (
          'Changes of the drawing.'
        )}
        {!isMember && ' Only members of the document can open its versions.'}
      </p>
      <PagedTable
        pages={{ ...pages, items }}
        label="History"
        one="entry"
        many="entries"
        columns={columnsFor(documentId, isMember)}
        keyOf={keyOf}
        empty={
          <>
            <p class="notice">
              The drawing has not changed yet. People draw in applications that use the editor engine, programs draw by
              the API. <Guide name="editor" group="editor" />
            </p>
            {mayDraw && (
              <>
                <Snippet
                  title="Draw a rectangle"
                  text="Run this in a terminal. It uses the TOKEN of a credential of yours."
                  command={drawCommand(documentId)}
                />
                <p class="help">
                  No TOKEN? <a href={terminalPath}>Use the API from a terminal</a> creates one.
                </p>
              </>
            )}
          </>
        }
        rows={3}
      />
    </section>
  );
};
