/** What roles in a document may do, in words and for buttons; the server decides. */
import type { DocumentRole } from '../../../packages/client/src/schemas';
import type { Option } from '../components/form-fields';

export const roleOptions: readonly Option<DocumentRole>[] = [
  { value: 'viewer', label: 'Viewer: sees the document' },
  { value: 'commenter', label: 'Commenter: also comments' },
  { value: 'editor', label: 'Editor: also changes it' },
  { value: 'owner', label: 'Owner: also shares and deletes it' },
];

export const canEdit = (role: DocumentRole | null): boolean => role === 'editor' || role === 'owner';
