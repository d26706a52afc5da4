import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { DocumentId } from '../../../domain/editor/ids';
import { type LogEvent, log } from '../../../domain/editor/log/events';
import { parseStreamName } from '../../../domain/kernel/ids';
import { on, patch, projection, put, remove, type Source } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import type { Change } from '../../kernel/view';
import { type DocumentRow, documentsView } from './view';

/** Every event of a document is a new revision of it, also where no other field changes. */
const change = ({ data, at }: Recorded<DocumentEvent>, fields: Partial<DocumentRow> = {}) =>
  patch<DocumentRow>({ tenantId: at.tenantId, documentId: data.documentId }, { ...fields, revision: at.revision });

const updated = (recorded: Recorded<DocumentEvent>, fields: Partial<DocumentRow>) =>
  change(recorded, { ...fields, updatedAt: recorded.event.occurredAt });

const titled = (title: string): Pick<DocumentRow, 'title' | 'plainTitle'> => ({
  title,
  plainTitle: title.toLowerCase(),
});

/** By the stream's name: a snapshot may be another document's. The revision stays that of what is said of the document. */
const content = ({ at, event }: Recorded<LogEvent>, fields: Partial<DocumentRow>) => {
  const documentId = (parseStreamName(event.stream)?.id ?? '') as DocumentId;
  return patch<DocumentRow>({ tenantId: at.tenantId, documentId }, fields);
};

type Created = Recorded<Extract<DocumentEvent, { type: 'DocumentCreated' }>>;

/** What was copied is recorded before the document is: there was no row then to say it in. */
const begun = (from: Created['data']['copiedFrom']): Pick<DocumentRow, 'copiedFrom' | 'headVersion' | 'snapshot'> => {
  if (from === null) return { copiedFrom: null, headVersion: 0, snapshot: null };
  const { snapshot = null, ...copiedFrom } = from;
  return { copiedFrom, headVersion: copiedFrom.version, snapshot };
};

const ofDocuments: Source<Change<DocumentRow>> = on(documents, 'document', {
  DocumentCreated: ({ data, at }) => {
    const { documentId, title, homeRegion, createdBy, createdAt, copiedFrom } = data;
    return put<DocumentRow>({
      ...{ documentId, homeRegion, createdBy, createdAt, updatedAt: createdAt, status: 'active' },
      ...{ trashedAt: null, linkRole: null },
      ...titled(title),
      ...begun(copiedFrom),
      ...at,
    });
  },
  DocumentRenamed: (recorded) => updated(recorded, titled(recorded.data.title)),
  DocumentTrashed: (recorded) => change(recorded, { status: 'trashed', trashedAt: recorded.event.occurredAt }),
  DocumentRestored: (recorded) => change(recorded, { status: 'active', trashedAt: null }),
  DocumentDeleted: ({ data, at }) => remove<DocumentRow>({ tenantId: at.tenantId, documentId: data.documentId }),
  MemberInvited: (recorded) => change(recorded),
  InvitationAccepted: (recorded) => change(recorded),
  InvitationDeclined: (recorded) => change(recorded),
  InvitationWithdrawn: (recorded) => change(recorded),
  MemberRoleChanged: (recorded) => change(recorded),
  OwnerAppointed: (recorded) => change(recorded),
  MemberRemoved: (recorded) => change(recorded),
  MemberLeft: (recorded) => change(recorded),
  LinkShared: (recorded) => change(recorded, { linkRole: recorded.data.role }),
  LinkRoleChanged: (recorded) => change(recorded, { linkRole: recorded.data.role }),
  LinkClosed: (recorded) => change(recorded, { linkRole: null }),
  LinkOpened: (recorded) => change(recorded),
  VersionNamed: (recorded) => change(recorded),
  VersionRenamed: (recorded) => change(recorded),
  VersionNameRemoved: (recorded) => change(recorded),
});

const ofContent: Source<Change<DocumentRow>> = on(log, 'log', {
  ignored: ['OwnershipTaken'],
  OperationsCommitted: (recorded) =>
    content(recorded, { headVersion: recorded.data.toVersion, updatedAt: recorded.event.occurredAt }),
  SnapshotTaken: (recorded) => content(recorded, { snapshot: recorded.data.snapshot }),
  ContentCopied: (recorded) => {
    const { snapshot } = recorded.data;
    return content(recorded, { snapshot, headVersion: snapshot.version });
  },
});

export const documentsProjection = projection(documentsView, [ofDocuments, ofContent]);
