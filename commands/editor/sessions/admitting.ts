/** Whether somebody may come in, as the document's own stream says now. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Role } from '../../../domain/editor/roles';
import { type Fault, fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import type { Place, Standing } from '../owner/needs';
import type { SessionDeps } from './deps';

export interface Admitted {
  readonly role: Role;
  readonly standing: Standing;
}

type NotAdmitted = Rejection<'not-found' | 'trashed'> | Fault<'service-unavailable'>;

/** Whoever has no role learns nothing, not even that there is a document. */
export const admit = async (
  { access }: Pick<SessionDeps, 'access'>,
  place: Place,
  principalId: string,
): Promise<Either<NotAdmitted, Admitted>> => {
  const found = await access.about(place);
  if (isLeft(found)) return left(fault('service-unavailable', 'Documents cannot be looked up right now.'));
  const standing = found.right;
  const role = standing.roleOf(principalId);
  if (role === undefined || standing.state === 'none' || standing.state === 'deleted')
    return reject('not-found', 'No such document is known here.');
  return standing.state === 'trashed' ? reject('trashed', 'The document is in the trash.') : right({ role, standing });
};
