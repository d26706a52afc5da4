import { documents } from '../../../domain/editor/document/events';
import type { DocumentId } from '../../../domain/editor/ids';
import { type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import type { Instant } from '../../../domain/kernel/codec';
import { patchRow, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import type { Change } from '../../kernel/view';
import { type DocumentVersionRow, documentVersionsView } from './view';

type Committed = RecordedEvent<Extract<OperationLogEvent, { type: 'OperationsCommitted' }>>;
type Row = DocumentVersionRow;

const windowMilliseconds = 600_000;

/** Windows start at fixed times, so an edit's window depends only on its time. */
const windowOf = (at: Instant): number => Math.floor(Date.parse(at) / windowMilliseconds);

const entryFields = ({ data, at, event }: Committed) => ({
  documentId: data.documentId,
  ...at,
  author: data.operations[0]?.actorId ?? event.actor,
  startedAt: event.occurredAt,
  at: event.occurredAt,
  name: null,
  restoredVersion: null,
});

const editEntries = (committed: Committed): readonly Change<Row>[] => {
  const { fromVersion, toVersion: version } = committed.data;
  const row = entryFields(committed);
  const entryId = `edits~${row.author}~${windowOf(row.at)}`;
  const whole: Row = { ...row, entryId, kind: 'edits', version, fromVersion };
  return [{ kind: 'merge', row: whole, keep: ['fromVersion', 'startedAt'] }];
};

const versionIn = (payload: unknown): number | null => {
  const version = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'version') : undefined;
  return Number.isSafeInteger(version) ? (version as number) : null;
};

/** A restore is the only operation of its batch. */
const restoreEntries = (committed: Committed, payload: unknown): readonly Change<Row>[] => {
  const { fromVersion, toVersion: version } = committed.data;
  const before = fromVersion - 1;
  const row = entryFields(committed);
  const restoredVersion = versionIn(payload);
  const restored = { kind: 'restored', version, fromVersion, restoredVersion } as const;
  const name = `Before version ${restoredVersion ?? '?'} was restored`;
  const earlier = { kind: 'before-restore', version: before, fromVersion: before, name } as const;
  return [
    ...putRow<Row>({ ...row, entryId: `before~${before}`, ...earlier }),
    ...putRow<Row>({ ...row, entryId: `restored~${version}`, ...restored }),
  ];
};

const nameKey = (at: Pick<Row, 'tenantId'>, { documentId, version }: { documentId: DocumentId; version: number }) => ({
  tenantId: at.tenantId,
  documentId,
  entryId: `named~${version}`,
});

export const documentVersionsProjection = projection(documentVersionsView, [
  streamsOf(documents, {
    ignored: [
      'DocumentCreated',
      'DocumentRenamed',
      'DocumentTrashed',
      'DocumentRestored',
      'DocumentDeleted',
      'MemberInvited',
      'InvitationAccepted',
      'InvitationDeclined',
      'InvitationWithdrawn',
      'MemberRoleChanged',
      'OwnerAppointed',
      'MemberRemoved',
      'MemberLeft',
      'LinkShared',
      'LinkRoleChanged',
      'LinkClosed',
      'LinkOpened',
    ],
    VersionNamed: ({ data, at, event }) => {
      const { version, name } = data;
      const when = { startedAt: event.occurredAt, at: event.occurredAt };
      const named = { kind: 'named', version, fromVersion: version, author: event.actor, name } as const;
      return putRow<Row>({ ...nameKey(at, data), ...named, ...when, restoredVersion: null, revision: at.revision });
    },
    VersionRenamed: ({ data, at }) => patchRow<Row>(nameKey(at, data), { name: data.name, revision: at.revision }),
    VersionNameRemoved: ({ data, at }) => removeRow<Row>(nameKey(at, data)),
  }),
  streamsOf(operationLog, {
    ignored: ['OwnershipTaken', 'SnapshotTaken', 'ContentCopied'],
    OperationsCommitted: (committed) => {
      const restore = committed.data.operations.find(({ type }) => type === 'restoreVersion');
      return restore === undefined ? editEntries(committed) : restoreEntries(committed, restore.payload);
    },
  }),
]);
