/** Dispatches commands on a document to their decisions. */
import type { Decider } from '../../kernel/decider';
import type { DocumentCommand } from './commands';
import { type DocumentEvent, documents } from './events';
import { accept, decline, invite, withdraw } from './invitations';
import { changeLifecycle, create, rename } from './lifecycle';
import { appoint, changeRole, remove } from './members';
import type { DocumentDecision, DocumentRejection } from './rejections';
import { decideLink, openLink } from './share-link';
import { type DocumentState, evolve, noDocument } from './state';
import { decideVersion } from './version-names';

const decide = (command: DocumentCommand, state: DocumentState): DocumentDecision => {
  switch (command.type) {
    case 'CreateDocument':
      return create(command, state);
    case 'RenameDocument':
      return rename(command, state);
    case 'TrashDocument':
    case 'RestoreDocument':
    case 'DeleteDocument':
      return changeLifecycle(command, state);
    case 'InviteMember':
      return invite(command, state);
    case 'AcceptInvitation':
      return accept(command, state);
    case 'DeclineInvitation':
      return decline(command, state);
    case 'WithdrawInvitation':
      return withdraw(command, state);
    case 'ChangeRole':
      return changeRole(command, state);
    case 'RemoveMember':
      return remove(command, state);
    case 'AppointOwner':
      return appoint(command, state);
    case 'OpenLink':
      return openLink(command, state);
    case 'ShareLink':
    case 'ChangeLinkRole':
    case 'CloseLink':
      return decideLink(command, state);
    case 'NameVersion':
    case 'RemoveVersionName':
      return decideVersion(command, state);
  }
};

export const document: Decider<DocumentCommand, DocumentState, DocumentEvent, DocumentRejection> = {
  family: documents,
  initial: noDocument,
  evolve,
  decide,
};
