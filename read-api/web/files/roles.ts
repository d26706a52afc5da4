/** What roles in files and folders may do, in words and for buttons; the server decides. */
import type { FileAccessGrant, FileItem } from '../../../packages/client/src/schemas';
import type { Option } from '../components/form-fields';
import { hasScope } from '../kernel/permissions';

type Role = FileItem['role'];

export const roleOptions: readonly Option<FileAccessGrant['role']>[] = [
  { value: 'viewer', label: 'Viewer: searches and reads' },
  { value: 'editor', label: 'Editor: also changes and shares' },
];

const mayWrite = (): boolean => hasScope('files:write');

export const mayChange = (role: Role): boolean => mayWrite() && role !== 'viewer';
export const mayDispose = (role: Role): boolean => mayWrite() && role === 'owner';
/** Into a folder, or to the top. */
export const mayUploadInto = (role: Role | undefined): boolean => mayWrite() && role !== 'viewer';
