import { document } from '../../../../domain/editor/document/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { given } from '../../../kernel/domain/given-when-then';
import { ada, bob, cem, commandOf, created, creation, memberAdded, noon, recorded, shared } from '../examples';

const trashed = recorded('DocumentTrashed', {});
const deleted = recorded('DocumentDeleted', { members: [ada, bob], invitations: [] });
const renameBy = (by: PrincipalId) => commandOf(by, 'RenameDocument', { title: 'Home page' });

describe('a document', () => {
  it('is created once, by its first owner', () => {
    given(document).when(creation).then(created);
    given(document, created).when(creation).thenNothing();
    given(document, created)
      .when(commandOf(bob, 'CreateDocument', { title: 'x', homeRegion: 'local', at: noon, copiedFrom: null }))
      .rejects('document-differs');
  });

  it('is renamed by owners and editors', () => {
    const renamed = recorded('DocumentRenamed', { title: 'Home page' });
    given(document, created).when(renameBy(ada)).then(renamed);
    given(document, created, memberAdded(bob, 'editor')).when(renameBy(bob)).then(renamed);
    given(document, created, renamed).when(renameBy(ada)).thenNothing();
    given(document, created, memberAdded(bob, 'commenter')).when(renameBy(bob)).rejects('role-too-low');
  });

  it('is unknown to principals without a role', () => {
    given(document).when(renameBy(ada)).rejects('document-unknown');
    given(document, created).when(renameBy(bob)).rejects('document-unknown');
    given(document, created, trashed).when(renameBy(bob)).rejects('document-unknown');
    given(document, created, trashed, deleted).when(renameBy(cem)).rejects('document-unknown');
  });

  it('is trashed and restored by owners', () => {
    given(document, created)
      .when(commandOf(ada, 'TrashDocument', {}))
      .then(trashed);
    given(document, created, trashed)
      .when(commandOf(ada, 'TrashDocument', {}))
      .thenNothing();
    given(document, created, trashed)
      .when(commandOf(ada, 'RestoreDocument', {}))
      .then(recorded('DocumentRestored', {}));
    given(document, created)
      .when(commandOf(ada, 'RestoreDocument', {}))
      .thenNothing();
    given(document, created, memberAdded(bob, 'editor'))
      .when(commandOf(bob, 'TrashDocument', {}))
      .rejects('role-too-low');
  });

  it('is read-only in the trash', () => {
    given(document, created, trashed).when(renameBy(ada)).rejects('document-trashed');
    given(document, created, trashed)
      .when(commandOf(ada, 'CloseLink', {}))
      .rejects('document-trashed');
  });

  it('is deleted permanently only from the trash, and records its members', () => {
    const remove = commandOf(ada, 'DeleteDocument', {});
    given(document, created).when(remove).rejects('document-not-trashed');
    given(document, created, memberAdded(bob, 'viewer'), trashed).when(remove).then(deleted);
    given(document, created, memberAdded(bob, 'viewer'), trashed, deleted).when(remove).thenNothing();
    given(document, created, memberAdded(bob, 'viewer'), trashed, deleted)
      .when(renameBy(bob))
      .rejects('document-deleted');
    given(document, created, trashed, deleted)
      .when(commandOf(ada, 'RestoreDocument', {}))
      .rejects('document-deleted');
    const ofLink = recorded('LinkOpened', { linkId: 'l-1' as never, principalId: cem, role: 'viewer' });
    given(document, created, shared(1, 'a', 'viewer'), ofLink, trashed, deleted)
      .when(renameBy(cem))
      .rejects('document-deleted');
  });
});
