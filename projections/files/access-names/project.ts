import { type FileAccessEvent, fileAccess } from '../../../domain/files/access/events';
import { type Forgotten, isForgotten } from '../../../domain/kernel/secret';
import { patchRow, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type AccessNameRow, accessNamesView } from './view';

const nameOf = (name: string | Forgotten): string | null => (isForgotten(name) ? null : name);

type Kind = AccessNameRow['kind'];
type Recorded = Pick<RecordedEvent<FileAccessEvent>, 'at' | 'event'>;

const created = ({ at, event }: Recorded, kind: Kind, id: string, name: string | Forgotten) =>
  putRow<AccessNameRow>({ kind, id, name: nameOf(name), createdAt: event.occurredAt, trashedAt: null, ...at });

const changed = (
  { at: { tenantId, revision } }: Recorded,
  kind: Kind,
  id: string,
  fields: Partial<Pick<AccessNameRow, 'name' | 'trashedAt'>>,
) => patchRow<AccessNameRow>({ tenantId, kind, id }, { ...fields, revision });

export const accessNamesProjection = projection(accessNamesView, [
  streamsOf(fileAccess, {
    FolderCreated: ({ data, ...recorded }) => created(recorded, 'folder', data.folderId, data.name),
    FolderRenamed: ({ data, ...recorded }) => changed(recorded, 'folder', data.folderId, { name: nameOf(data.name) }),
    FolderTrashed: ({ data, ...recorded }) =>
      changed(recorded, 'folder', data.folderId, { trashedAt: recorded.event.occurredAt }),
    FolderRestored: ({ data, ...recorded }) => changed(recorded, 'folder', data.folderId, { trashedAt: null }),
    FolderDeleted: ({ data, at: { tenantId } }) =>
      removeRow<AccessNameRow>({ tenantId, kind: 'folder', id: data.folderId }),
    GroupCreated: ({ data, ...recorded }) => created(recorded, 'group', data.groupId, data.name),
    GroupRenamed: ({ data, ...recorded }) => changed(recorded, 'group', data.groupId, { name: nameOf(data.name) }),
    GroupDeleted: ({ data, at: { tenantId } }) =>
      removeRow<AccessNameRow>({ tenantId, kind: 'group', id: data.groupId }),
    ignored: [
      'FolderMoved',
      'FolderOwnerChanged',
      'GrantAdded',
      'GrantRevoked',
      'GroupMemberAdded',
      'GroupMemberRemoved',
      'FileMoved',
      'FileOwnerChanged',
      'FileHidden',
      'FileRevealed',
      'FilePurged',
      'FileHeld',
      'FileReleased',
    ],
  }),
]);
