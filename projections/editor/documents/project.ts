import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { DocumentId } from '../../../domain/editor/ids';
import { type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import { parseStreamName } from '../../../domain/kernel/ids';
import { type ProjectionSource, patchRow, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import type { Change } from '../../kernel/view';
import { type DocumentRow, documentsView } from './view';

/** Every event raises the row's revision. */
const touchDocument = ({ data, at }: RecordedEvent<DocumentEvent>, fields: Partial<DocumentRow> = {}) =>
  patchRow<DocumentRow>({ tenantId: at.tenantId, documentId: data.documentId }, { ...fields, revision: at.revision });

const updateDocument = (recorded: RecordedEvent<DocumentEvent>, fields: Partial<DocumentRow>) =>
  touchDocument(recorded, { ...fields, updatedAt: recorded.event.occurredAt });

const titleFields = (title: string): Pick<DocumentRow, 'title' | 'plainTitle'> => ({
  title,
  plainTitle: title.toLowerCase(),
});

/**
 * By the stream's name, because a snapshot may name another document. The revision is that of the document's own
 * stream.
 */
const updateContent = ({ at, event }: RecordedEvent<OperationLogEvent>, fields: Partial<DocumentRow>) => {
  const documentId = (parseStreamName(event.stream)?.id ?? '') as DocumentId;
  return patchRow<DocumentRow>({ tenantId: at.tenantId, documentId }, fields);
};

type Created = RecordedEvent<Extract<DocumentEvent, { type: 'DocumentCreated' }>>;

/** The log's `ContentCopied` precedes the row, so the creation carries its fields. */
const initialContent = (
  from: Created['data']['copiedFrom'],
): Pick<DocumentRow, 'copiedFrom' | 'headVersion' | 'snapshot'> => {
  if (from === null) return { copiedFrom: null, headVersion: 0, snapshot: null };
  const { snapshot = null, ...copiedFrom } = from;
  return { copiedFrom, headVersion: copiedFrom.version, snapshot };
};

const documentSource: ProjectionSource<Change<DocumentRow>> = streamsOf(documents, {
  DocumentCreated: ({ data, at }) => {
    const { documentId, title, homeRegion, createdBy, createdAt, copiedFrom } = data;
    return putRow<DocumentRow>({
      documentId,
      homeRegion,
      createdBy,
      createdAt,
      updatedAt: createdAt,
      status: 'active',
      trashedAt: null,
      linkRole: null,
      ...titleFields(title),
      ...initialContent(copiedFrom),
      ...at,
    });
  },
  DocumentRenamed: (recorded) => updateDocument(recorded, titleFields(recorded.data.title)),
  DocumentTrashed: (recorded) => touchDocument(recorded, { status: 'trashed', trashedAt: recorded.event.occurredAt }),
  DocumentRestored: (recorded) => touchDocument(recorded, { status: 'active', trashedAt: null }),
  DocumentDeleted: ({ data, at }) => removeRow<DocumentRow>({ tenantId: at.tenantId, documentId: data.documentId }),
  MemberInvited: (recorded) => touchDocument(recorded),
  InvitationAccepted: (recorded) => touchDocument(recorded),
  InvitationDeclined: (recorded) => touchDocument(recorded),
  InvitationWithdrawn: (recorded) => touchDocument(recorded),
  MemberRoleChanged: (recorded) => touchDocument(recorded),
  OwnerAppointed: (recorded) => touchDocument(recorded),
  MemberRemoved: (recorded) => touchDocument(recorded),
  MemberLeft: (recorded) => touchDocument(recorded),
  LinkShared: (recorded) => touchDocument(recorded, { linkRole: recorded.data.role }),
  LinkRoleChanged: (recorded) => touchDocument(recorded, { linkRole: recorded.data.role }),
  LinkClosed: (recorded) => touchDocument(recorded, { linkRole: null }),
  LinkOpened: (recorded) => touchDocument(recorded),
  VersionNamed: (recorded) => touchDocument(recorded),
  VersionRenamed: (recorded) => touchDocument(recorded),
  VersionNameRemoved: (recorded) => touchDocument(recorded),
});

const contentSource: ProjectionSource<Change<DocumentRow>> = streamsOf(operationLog, {
  ignored: ['OwnershipTaken'],
  OperationsCommitted: (recorded) =>
    updateContent(recorded, { headVersion: recorded.data.toVersion, updatedAt: recorded.event.occurredAt }),
  SnapshotTaken: (recorded) => updateContent(recorded, { snapshot: recorded.data.snapshot }),
  ContentCopied: (recorded) => {
    const { snapshot } = recorded.data;
    return updateContent(recorded, { snapshot, headVersion: snapshot.version });
  },
});

export const documentsProjection = projection(documentsView, [documentSource, contentSource]);
