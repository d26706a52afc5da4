import { document } from '../../../../domain/editor/document/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { given } from '../../../kernel/domain/given-when-then';
import * as example from '../examples';

const { ada, commandOf, bob, created, dee, memberAdded, recorded } = example;
const changeRole = (by: PrincipalId, principalId: PrincipalId, role: 'owner' | 'editor' | 'viewer') =>
  commandOf(by, 'ChangeRole', { principalId, role });
const remove = (by: PrincipalId, principalId: PrincipalId) => commandOf(by, 'RemoveMember', { principalId });

describe('members of a document', () => {
  it('get another role from owners', () => {
    const history = [created, memberAdded(bob, 'viewer')] as const;
    const changed = recorded('MemberRoleChanged', { principalId: bob, role: 'editor' });
    given(document, ...history)
      .when(changeRole(ada, bob, 'editor'))
      .then(changed);
    given(document, ...history, changed)
      .when(changeRole(ada, bob, 'editor'))
      .thenNothing();
    given(document, ...history)
      .when(changeRole(bob, bob, 'owner'))
      .rejects('role-too-low');
    given(document, ...history)
      .when(changeRole(ada, dee, 'editor'))
      .rejects('member-unknown');
  });

  it('leave, and are removed', () => {
    const history = [created, memberAdded(bob, 'viewer')] as const;
    const removed = recorded('MemberRemoved', { principalId: bob });
    given(document, ...history)
      .when(remove(ada, bob))
      .then(removed);
    given(document, ...history, removed)
      .when(remove(ada, bob))
      .thenNothing();
    given(document, ...history)
      .when(remove(bob, bob))
      .then(recorded('MemberLeft', { principalId: bob }));
    given(document, ...history)
      .when(remove(dee, dee))
      .rejects('document-unknown');
    given(document, ...history)
      .when(remove(bob, ada))
      .rejects('role-too-low');
  });

  it('always include an owner', () => {
    given(document, created).when(remove(ada, ada)).rejects('last-owner');
    given(document, created)
      .when(changeRole(ada, ada, 'editor'))
      .rejects('last-owner');
    const two = [created, memberAdded(bob, 'owner')] as const;
    const demoted = recorded('MemberRoleChanged', { principalId: bob, role: 'editor' });
    given(document, ...two)
      .when(changeRole(ada, bob, 'editor'))
      .then(demoted);
    given(document, ...two, demoted)
      .when(changeRole(bob, ada, 'editor'))
      .rejects('role-too-low');
    given(document, ...two, demoted)
      .when(remove(ada, ada))
      .rejects('last-owner');
    given(document, ...two)
      .when(remove(ada, ada))
      .then(recorded('MemberLeft', { principalId: ada }));
  });
});
