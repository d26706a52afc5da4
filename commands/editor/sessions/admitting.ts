/** Whether a principal may join, as the document's own stream says now. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Role } from '../../../domain/editor/roles';
import type { DocumentKey } from '../../../domain/editor/streams';
import { type Fault, fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { Access } from '../owner/needs';

export interface Admitted {
  readonly role: Role;
  readonly standing: DocumentAccess;
}

type NotAdmitted = Rejection<'not-found' | 'trashed'> | Fault<'service-unavailable'>;

/** A principal without a role learns nothing, not even that there is a document. */
const admittedBy = (standing: DocumentAccess, principalId: string): Either<NotAdmitted, Admitted> => {
  const role = standing.roleOf(principalId);
  if (role === undefined || standing.state === 'none' || standing.state === 'deleted')
    return reject('not-found', 'No such document is known here.');
  return standing.state === 'trashed' ? reject('trashed', 'The document is in the trash.') : right({ role, standing });
};

export const admit = async (
  { about }: Pick<Access, 'about'>,
  place: DocumentKey,
  principalId: string,
): Promise<Either<NotAdmitted, Admitted>> => {
  const found = await about(place);
  if (isLeft(found)) return left(fault('service-unavailable', 'Documents cannot be looked up right now.'));
  return admittedBy(found.right, principalId);
};

/**
 * Calls `enter` with the rights of that moment. They are watched from before they are read: a change that is told meanwhile counts, and
 * whatever `enter` begins to watch in the same turn misses none that comes later.
 */
export const admitWatched = async (
  { about, watch }: Access,
  { place, principalId }: { readonly place: DocumentKey; readonly principalId: string },
  enter: (admitted: Either<NotAdmitted, Admitted>) => void,
): Promise<void> => {
  let told: DocumentAccess | undefined;
  const unwatch = watch(place, (standing) => {
    told = standing;
  });
  try {
    const admitted = await admit({ about }, place, principalId);
    const isOld = !isLeft(admitted) && told !== undefined && told.revision > admitted.right.standing.revision;
    enter(isOld ? admittedBy(told as DocumentAccess, principalId) : admitted);
  } finally {
    unwatch();
  }
};
