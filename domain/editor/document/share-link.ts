/** Decisions on the document's link; there is at most one. */
import { right } from 'fp-ts/Either';
import { reject } from '../../kernel/rejection';
import { documentLimits } from '../limits';
import type { ChangeLinkRole, CloseLink, LinkCommand, OpenLink, ShareLink } from './commands';
import type { DocumentEvent } from './events';
import {
  type DocumentDecision,
  type DocumentRefusal,
  documentDeleted,
  documentTrashed,
  documentUnknown,
  isExisting,
  rejectUnlessPermitted,
} from './rejections';
import { type DocumentState, type ExistingDocument, roleOf } from './state';

const closeLinkEvents = ({ documentId, link }: ExistingDocument): readonly DocumentEvent[] =>
  link === null
    ? []
    : [{ type: 'LinkClosed', data: { documentId, linkId: link.linkId, visitors: [...link.visitors] } }];

const share = ({ documentId, linkId, role, secretHash }: ShareLink, state: ExistingDocument): DocumentDecision => {
  if (state.link?.secretHash === secretHash) return right([]);
  return right([...closeLinkEvents(state), { type: 'LinkShared', data: { documentId, linkId, role, secretHash } }]);
};

const linkUnknown = (): DocumentRefusal => reject('link-unknown', 'There is no such link.');

const changeRole = ({ documentId, role }: ChangeLinkRole, { link }: ExistingDocument): DocumentDecision => {
  if (link === null) return linkUnknown();
  if (link.role === role) return right([]);
  const { linkId, visitors } = link;
  return right([{ type: 'LinkRoleChanged', data: { documentId, linkId, role, visitors: [...visitors] } }]);
};

const decideForOwner = (command: LinkCommand, state: ExistingDocument): DocumentDecision => {
  switch (command.type) {
    case 'ShareLink':
      return share(command, state);
    case 'ChangeLinkRole':
      return changeRole(command, state);
    case 'CloseLink':
      return right(closeLinkEvents(state));
  }
};

export const decideLink = (command: ShareLink | ChangeLinkRole | CloseLink, state: DocumentState): DocumentDecision => {
  const refused = rejectUnlessPermitted(state, command.by, 'share');
  if (refused !== undefined) return refused;
  return isExisting(state) ? decideForOwner(command, state) : documentUnknown();
};

/** A wrong secret gets the same answer as a missing link or document. */
export const openLink = ({ documentId, by, secretHash }: OpenLink, state: DocumentState): DocumentDecision => {
  if (!isExisting(state)) return roleOf(state, by) === undefined ? linkUnknown() : documentDeleted();
  const { link, kind } = state;
  if (link === null || link.secretHash !== secretHash || link.barred.includes(by)) return linkUnknown();
  if (kind === 'trashed') return documentTrashed();
  if (roleOf(state, by) !== undefined) return right([]);
  if (link.visitors.length >= documentLimits.visitors)
    return reject(
      'too-many-members',
      `At most ${documentLimits.visitors} people can join by one link; invite others by name.`,
    );
  const { linkId, role } = link;
  return right([{ type: 'LinkOpened', data: { documentId, linkId, principalId: by, role } }]);
};
