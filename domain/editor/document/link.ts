/** One link at most, for whoever of the tenant has it. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import type { ChangeLinkRole, CloseLink, LinkCommand, OpenLink, ShareLink } from './commands';
import {
  type Decision,
  documentDeleted,
  documentTrashed,
  documentUnknown,
  isLiving,
  type Refused,
  refusedTo,
} from './decision';
import type { DocumentEvent } from './events';
import { documentLimits } from './limits';
import { type DocumentState, type LivingDocument, roleOf } from './state';

const closing = ({ documentId, link }: LivingDocument): readonly DocumentEvent[] =>
  link === null
    ? []
    : [{ type: 'LinkClosed', data: { documentId, linkId: link.linkId, visitors: [...link.visitors] } }];

const share = ({ documentId, linkId, role, secretHash }: ShareLink, state: LivingDocument): Decision => {
  if (state.link?.secretHash === secretHash) return right([]);
  return right([...closing(state), { type: 'LinkShared', data: { documentId, linkId, role, secretHash } }]);
};

const unknown = (): Refused => reject('link-unknown', 'There is no such link.');

const changeRole = ({ documentId, role }: ChangeLinkRole, { link }: LivingDocument): Decision => {
  if (link === null) return unknown();
  if (link.role === role) return right([]);
  const { linkId, visitors } = link;
  return right([{ type: 'LinkRoleChanged', data: { documentId, linkId, role, visitors: [...visitors] } }]);
};

const answer = (command: LinkCommand, state: LivingDocument): Decision => {
  switch (command.type) {
    case 'ShareLink':
      return share(command, state);
    case 'ChangeLinkRole':
      return changeRole(command, state);
    case 'CloseLink':
      return right(closing(state));
  }
};

export const decideLink = (command: ShareLink | ChangeLinkRole | CloseLink, state: DocumentState): Decision => {
  const refused = refusedTo(state, command.by, 'share');
  if (refused !== undefined) return refused;
  return isLiving(state) ? answer(command, state) : documentUnknown();
};

/** A wrong secret looks like there being no link, and no document. */
export const openLink = ({ documentId, by, secretHash }: OpenLink, state: DocumentState): Decision => {
  if (!isLiving(state)) return roleOf(state, by) === undefined ? unknown() : documentDeleted();
  const { link, kind } = state;
  if (link === null || link.secretHash !== secretHash || link.barred.includes(by)) return unknown();
  if (kind === 'trashed') return documentTrashed();
  if (roleOf(state, by) !== undefined) return right([]);
  if (link.visitors.length >= documentLimits.visitors)
    return reject('too-many-members', `${documentLimits.visitors} can come by one link; invite them by name.`);
  const { linkId, role } = link;
  return right([{ type: 'LinkOpened', data: { documentId, linkId, principalId: by, role } }]);
};
