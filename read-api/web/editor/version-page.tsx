/** One version of a document, read-only: what changed in it, and the document as it was. */
import { useState } from 'preact/hooks';
import { compareVersions, getDocument, openVersion, restoreVersion } from '../../../packages/client/src/operations';
import type { NodeDiff } from '../../../packages/client/src/schemas';
import { AsyncContent } from '../components/async-content';
import { ConfirmDialog } from '../components/confirm-dialog';
import { EmptyState } from '../components/empty-state';
import { PageHeading } from '../components/page-heading';
import { PagedTable } from '../components/paged-table';
import { StatusBadge, type Tone } from '../components/status-badge';
import type { Column } from '../components/table';
import { hasScope } from '../kernel/permissions';
import { navigate } from '../kernel/router';
import { useCommand } from '../kernel/use-command';
import { usePages } from '../kernel/use-pages';
import { useResource } from '../kernel/use-resource';
import { CopyableId } from '../references/copyable-id';
import { useName } from '../references/reference';
import type { PageProps } from '../shell/section';
import { documentPath, documentsPath } from './paths';
import { canEdit } from './roles';
import { ScenePicture } from './scene/scene-picture';

const tones: { readonly [kind in NodeDiff['kind']]: Tone } = { created: 'good', deleted: 'bad', changed: 'plain' };

const jsonOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

const differencesOf = ({ properties = [], moved, text, retyped }: NodeDiff): readonly string[] => [
  ...(retyped === undefined ? [] : [`type: ${retyped.before} → ${retyped.after}`]),
  ...(moved === undefined ? [] : ['moved in the document']),
  ...(text === undefined ? [] : [`text: ${jsonOf(text.before)} → ${jsonOf(text.after)}`]),
  ...properties.map(({ name, before, after, omitted }) =>
    omitted === undefined || omitted.length === 0
      ? `${name}: ${jsonOf(before)} → ${jsonOf(after)}`
      : `${name}: a long value`,
  ),
];

const columns: readonly Column<NodeDiff>[] = [
  {
    title: 'Node',
    show: ({ id, type, name }) => (
      <>
        {name === undefined || name === '' ? type : name}
        <div class="below">
          <CopyableId id={id} of={name ?? type} />
        </div>
      </>
    ),
  },
  {
    title: 'Change',
    show: (one) => (
      <>
        <StatusBadge tone={tones[one.kind]}>{one.kind}</StatusBadge>
        {differencesOf(one).map((line) => (
          <div key={line} class="below mono">
            {line}
          </div>
        ))}
      </>
    ),
  },
];

interface VersionProps {
  readonly documentId: string;
  readonly version: number;
}

const Changes = ({ documentId, version, from }: VersionProps & { readonly from: number }) => (
  <section class="section">
    <h2>Changes since version {from}</h2>
    <PagedTable
      pages={usePages(compareVersions({ documentId, from: String(from), to: String(version), limit: 50 }))}
      label="Changes"
      one="node"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<p class="notice">Both versions have the same content.</p>}
      rows={2}
    />
  </section>
);

const Content = ({ documentId, version }: VersionProps) => (
  <section class="section">
    <h2>The document at version {version}</h2>
    <AsyncContent source={useResource(openVersion({ documentId, version: String(version) }))} rows={3}>
      {(opened) => <ScenePicture version={opened} />}
    </AsyncContent>
  </section>
);

const wholeNumber = (text: string | null | undefined, fallback: number): number =>
  text !== null && text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : fallback;

export const VersionPage = ({ params, query }: PageProps) => {
  const { documentId = '' } = params;
  const version = wholeNumber(params.version, 0);
  const from = wholeNumber(query.get('from'), Math.max(version - 1, 0));
  const document = useResource(getDocument({ documentId }));
  const [isRestoring, setRestoring] = useState(false);
  const send = useCommand();
  const { content } = document;
  const title = useName('document', documentId);
  const isHidden = document.problem?.status === 404;
  const restore = async () => {
    const answer = await send(restoreVersion({ documentId, version: String(version) }));
    if (!answer.ok) return answer.problem;
    navigate(documentPath(documentId));
    return undefined;
  };
  const isRestorable =
    content !== undefined &&
    content.status === 'active' &&
    version < content.headVersion &&
    canEdit(content.role) &&
    hasScope('documents:write');
  return (
    <>
      <PageHeading
        title={`Version ${version}`}
        trail={[
          { label: 'Documents', path: documentsPath },
          { label: content?.title ?? title ?? 'Document', path: documentPath(documentId) },
        ]}
        {...(content === undefined ? {} : { lead: 'Read-only.' })}
      >
        {isRestorable && (
          <button type="button" class="button" onClick={() => setRestoring(true)}>
            Restore this version
          </button>
        )}
      </PageHeading>
      {isHidden ? (
        <EmptyState title="This version is not open to you">
          Only members of the document can open its versions: administrators see its history, not its content. Or the
          document was deleted.
        </EmptyState>
      ) : (
        <AsyncContent source={document} rows={2}>
          {() => (
            <>
              {version > from && <Changes documentId={documentId} version={version} from={from} />}
              <Content documentId={documentId} version={version} />
            </>
          )}
        </AsyncContent>
      )}
      {isRestoring && (
        <ConfirmDialog
          title={`Restore version ${version}?`}
          act="Restore"
          success={`Version ${version} was restored.`}
          onAct={restore}
          close={() => setRestoring(false)}
        >
          <p>The document becomes what it was then, as a new version. The versions in between stay in its history.</p>
        </ConfirmDialog>
      )}
    </>
  );
};
