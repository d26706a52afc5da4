/** HTTP problems of the document aggregate. */
import type { DocumentRejection } from '../../../domain/editor/document/rejections';
import type { ProblemKind } from '../../../infra/server/http/problem';

export const documentProblems = {
  'already-member': { status: 409, title: 'The person is already a member' },
  'document-deleted': { status: 410, title: 'The document was deleted' },
  'document-differs': { status: 409, title: 'A different document has this id' },
  'document-has-owner': { status: 409, title: 'The document has an active owner' },
  'document-not-trashed': { status: 409, title: 'The document is not in the trash' },
  'document-trashed': { status: 410, title: 'The document is in the trash' },
  'document-unknown': { status: 404, title: 'There is no such document' },
  'invitation-expired': { status: 410, title: 'The invitation is over' },
  'invitation-unknown': { status: 404, title: 'There is no such invitation' },
  'last-owner': { status: 409, title: 'The document would have no owner' },
  'link-unknown': { status: 404, title: 'There is no such link' },
  'member-unknown': { status: 404, title: 'There is no such member' },
  'role-too-low': { status: 403, title: 'The role in the document does not allow this' },
  'too-many-invitations': { status: 409, title: 'The document has too many open invitations' },
  'too-many-members': { status: 409, title: 'The document has too many members' },
  'too-many-named-versions': { status: 409, title: 'The document has too many named versions' },
  'version-unknown': { status: 404, title: 'There is no such version' },
} as const satisfies { readonly [code in DocumentRejection]: ProblemKind };

export const appointmentProblems = {
  ...documentProblems,
  'principal-inactive': { status: 409, title: 'The principal is not active' },
  'principal-unknown': { status: 422, title: 'The tenant has no such principal' },
} as const;

/** The route checks the invited principal before the decision. */
export const invitationProblems = {
  ...documentProblems,
  'principal-unknown': { status: 422, title: 'The tenant has no such principal' },
} as const;
