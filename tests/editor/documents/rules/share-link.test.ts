import { document } from '../../../../domain/editor/document/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { given } from '../../../kernel/domain/given-when-then';
import * as example from '../examples';

const { ada, commandOf, bob, joinedByLink, created, hash, linkId, recorded, shared } = example;
const changeRole = (by: PrincipalId, principalId: PrincipalId, role: 'owner' | 'editor' | 'viewer') =>
  commandOf(by, 'ChangeRole', { principalId, role });
const open = (by: PrincipalId, letter: string) => commandOf(by, 'OpenLink', { secretHash: hash(letter) });

describe('the link of a document', () => {
  const share = (letter: string, number = 1) =>
    commandOf(ada, 'ShareLink', { linkId: linkId(number), role: 'viewer', secretHash: hash(letter) });
  it('gives its role to principals that present it', () => {
    given(document, created)
      .when(share('a'))
      .then(shared(1, 'a', 'viewer'));
    given(document, created, shared(1, 'a', 'viewer'))
      .when(share('a'))
      .thenNothing();
    given(document, created, shared(1, 'a', 'viewer'))
      .when(open(bob, 'a'))
      .then(joinedByLink(1, bob, 'viewer'));
    given(document, created, shared(1, 'a', 'viewer'), joinedByLink(1, bob, 'viewer'))
      .when(open(bob, 'a'))
      .thenNothing();
    given(document, created, shared(1, 'a', 'viewer'))
      .when(open(ada, 'a'))
      .thenNothing();
    given(document, created, shared(1, 'a', 'viewer'))
      .when(open(bob, 'b'))
      .rejects('link-unknown');
    given(document, created).when(open(bob, 'a')).rejects('link-unknown');
    given(document).when(open(bob, 'a')).rejects('link-unknown');
  });

  it('removes members who joined by it when it is closed or replaced', () => {
    const history = [created, shared(1, 'a', 'editor'), joinedByLink(1, bob, 'editor')] as const;
    const closed = recorded('LinkClosed', { linkId: linkId(1), visitors: [bob] });
    const rename = commandOf(bob, 'RenameDocument', { title: 'x' });
    given(document, ...history)
      .when(rename)
      .then(recorded('DocumentRenamed', { title: 'x' }));
    given(document, ...history)
      .when(commandOf(ada, 'CloseLink', {}))
      .then(closed);
    given(document, ...history, closed)
      .when(rename)
      .rejects('document-unknown');
    given(document, ...history, closed)
      .when(commandOf(ada, 'CloseLink', {}))
      .thenNothing();
    given(document, ...history)
      .when(share('b', 2))
      .then(closed, shared(2, 'b', 'viewer'));
    given(document, ...history, closed, shared(2, 'b', 'viewer'))
      .when(open(bob, 'a'))
      .rejects('link-unknown');
  });

  it('changes the role of all members who joined by it', () => {
    const history = [created, shared(1, 'a', 'viewer'), joinedByLink(1, bob, 'viewer')] as const;
    const changed = recorded('LinkRoleChanged', { linkId: linkId(1), role: 'editor', visitors: [bob] });
    given(document, ...history)
      .when(commandOf(ada, 'ChangeLinkRole', { role: 'editor' }))
      .then(changed);
    given(document, ...history, changed)
      .when(commandOf(ada, 'ChangeLinkRole', { role: 'editor' }))
      .thenNothing();
    given(document, ...history, changed)
      .when(commandOf(bob, 'RenameDocument', { title: 'x' }))
      .then(recorded('DocumentRenamed', { title: 'x' }));
    given(document, created)
      .when(commandOf(ada, 'ChangeLinkRole', { role: 'editor' }))
      .rejects('link-unknown');
  });

  it('does not readmit a removed member, and keeps a member’s own role', () => {
    const history = [created, shared(1, 'a', 'editor'), joinedByLink(1, bob, 'editor')] as const;
    const removed = recorded('MemberRemoved', { principalId: bob });
    given(document, ...history, removed)
      .when(open(bob, 'a'))
      .rejects('link-unknown');
    given(document, ...history, recorded('MemberLeft', { principalId: bob }))
      .when(open(bob, 'a'))
      .then(joinedByLink(1, bob, 'editor'));
    const byName = recorded('MemberRoleChanged', { principalId: bob, role: 'viewer' });
    given(document, ...history)
      .when(changeRole(ada, bob, 'viewer'))
      .then(byName);
    given(document, ...history, byName)
      .when(commandOf(bob, 'RenameDocument', { title: 'x' }))
      .rejects('role-too-low');
    given(document, ...history, byName)
      .when(open(bob, 'a'))
      .thenNothing();
  });
});
