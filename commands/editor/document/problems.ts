/** HTTP problems of the document aggregate. */
import type { DocumentRejection } from '../../../domain/editor/document/rejections';
import { contentAccessProblems } from '../../../infra/server/documents/authorize-document';
import type { ProblemKind } from '../../../infra/server/http/problem';

export const documentProblems = {
  'already-member': { status: 409, title: 'The person is already a member' },
  'document-deleted': contentAccessProblems['document-deleted'],
  'document-differs': { status: 409, title: 'A different document has this id' },
  'document-has-owner': { status: 409, title: 'The document has an active owner' },
  'document-not-trashed': { status: 409, title: 'The document is not in the trash' },
  'document-trashed': contentAccessProblems['document-trashed'],
  'document-unknown': contentAccessProblems['document-unknown'],
  'invitation-expired': { status: 410, title: 'The invitation has ended' },
  'invitation-unknown': { status: 404, title: 'There is no such invitation' },
  'last-owner': { status: 409, title: 'The document would have no owner' },
  'link-unknown': { status: 404, title: 'There is no such link' },
  'member-unknown': { status: 404, title: 'There is no such member' },
  'role-too-low': contentAccessProblems['role-too-low'],
  'too-many-invitations': { status: 409, title: 'The document has too many open invitations' },
  'too-many-members': { status: 409, title: 'The document has too many members' },
  'too-many-named-versions': { status: 409, title: 'The document has too many named versions' },
  'version-unknown': contentAccessProblems['version-unknown'],
} as const satisfies { readonly [code in DocumentRejection]: ProblemKind };

/** Of routes that name a principal, who is checked before the decision. */
export const principalProblems = {
  ...documentProblems,
  'principal-inactive': { status: 409, title: 'The principal is not active' },
  'principal-unknown': { status: 422, title: 'The tenant has no such principal' },
} as const;
