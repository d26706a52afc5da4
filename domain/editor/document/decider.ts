/** What may happen to a document. */
import type { Decider } from '../../kernel/decider';
import type { DocumentCommand } from './commands';
import type { Decision, DocumentRejection } from './decision';
import { type DocumentEvent, documents } from './events';
import { evolve } from './evolve';
import { accept, decline, invite, withdraw } from './invitations';
import { create, dispose, rename } from './life';
import { decideLink, openLink } from './link';
import { appoint, changeRole, remove } from './members';
import { type DocumentState, noDocument } from './state';
import { decideVersion } from './versions';

const decide = (command: DocumentCommand, state: DocumentState): Decision => {
  switch (command.type) {
    case 'CreateDocument':
      return create(command, state);
    case 'RenameDocument':
      return rename(command, state);
    case 'TrashDocument':
    case 'RestoreDocument':
    case 'DeleteDocument':
      return dispose(command, state);
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
