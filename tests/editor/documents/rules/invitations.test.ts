import { document } from '../../../../domain/editor/document/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import { given } from '../../../kernel/domain/given-when-then';
import * as example from '../examples';

const { ada, commandOf, bob, cem, created, dee, hash, invited, memberAdded, later, noon, recorded } = example;
const [first, second] = [example.invitationId(1), example.invitationId(2)];
const accept = (by: PrincipalId, secretHash: string | null = null, at = noon) =>
  commandOf(by, 'AcceptInvitation', { invitationId: first, secretHash, at });
const accepted = (principalId: PrincipalId, role: 'editor' | 'viewer' | 'owner') =>
  recorded('InvitationAccepted', { invitationId: first, principalId, role });
const toBob = { principalId: bob, secretHash: null, role: 'editor', at: noon, expiresAt: example.tomorrow } as const;

describe('invitations to a document', () => {
  const invite = commandOf(ada, 'InviteMember', { invitationId: first, ...toBob });
  it('are made by owners, to principals who are not members', () => {
    given(document, created)
      .when(invite)
      .then(invited(1, { principalId: bob }, 'editor'));
    given(document, created, invited(1, { principalId: bob }, 'editor'))
      .when(invite)
      .thenNothing();
    given(document, created, memberAdded(bob, 'viewer')).when(invite).rejects('already-member');
    given(document, created, memberAdded(cem, 'editor'))
      .when(commandOf(cem, 'InviteMember', { invitationId: first, ...toBob }))
      .rejects('role-too-low');
    const many = Array.from({ length: 200 }, (_, number) => invited(number + 10, { secretHash: hash('a') }, 'viewer'));
    given(document, created, ...many)
      .when(invite)
      .rejects('too-many-invitations');
  });

  it('are accepted once, by the invited principal', () => {
    const history = [created, invited(1, { principalId: bob }, 'editor')] as const;
    given(document, ...history)
      .when(accept(bob))
      .then(accepted(bob, 'editor'));
    given(document, ...history, accepted(bob, 'editor'))
      .when(accept(bob))
      .thenNothing();
    given(document, ...history)
      .when(accept(cem))
      .rejects('invitation-unknown');
    given(document, ...history)
      .when(accept(bob, null, later))
      .rejects('invitation-expired');
    given(document).when(accept(bob)).rejects('invitation-unknown');
  });

  it('are accepted by the first principal that presents the secret', () => {
    const history = [created, invited(1, { secretHash: hash('a') }, 'viewer')] as const;
    given(document, ...history)
      .when(accept(cem, hash('a')))
      .then(accepted(cem, 'viewer'));
    given(document, ...history)
      .when(accept(cem, hash('b')))
      .rejects('invitation-unknown');
    given(document, ...history)
      .when(accept(cem))
      .rejects('invitation-unknown');
    given(document, ...history, accepted(cem, 'viewer'))
      .when(accept(dee, hash('a')))
      .rejects('invitation-unknown');
  });

  it('never lower a role', () =>
    given(document, created, memberAdded(bob, 'owner'), invited(1, { secretHash: hash('a') }, 'viewer'))
      .when(accept(bob, hash('a')))
      .then(accepted(bob, 'owner')));

  it('end when they are declined or withdrawn, or another one is made', () => {
    const history = [created, invited(1, { principalId: bob }, 'editor')] as const;
    const end = (type: 'DeclineInvitation' | 'WithdrawInvitation', by: PrincipalId) =>
      commandOf(by, type, { invitationId: first });
    given(document, ...history)
      .when(end('DeclineInvitation', bob))
      .then(recorded('InvitationDeclined', { invitationId: first, principalId: bob }));
    given(document, ...history)
      .when(end('DeclineInvitation', cem))
      .rejects('invitation-unknown');
    const withdrawn = recorded('InvitationWithdrawn', { invitationId: first });
    given(document, ...history)
      .when(end('WithdrawInvitation', ada))
      .then(withdrawn);
    given(document, ...history, withdrawn)
      .when(end('WithdrawInvitation', ada))
      .thenNothing();
    given(document, ...history, withdrawn)
      .when(accept(bob))
      .rejects('invitation-unknown');
    given(document, ...history)
      .when(end('WithdrawInvitation', bob))
      .rejects('document-unknown');
    const again = commandOf(ada, 'InviteMember', { invitationId: second, ...toBob });
    given(document, ...history)
      .when(again)
      .then(withdrawn, invited(2, { principalId: bob }, 'editor'));
    given(document, ...history, recorded('DocumentTrashed', {}))
      .when(accept(bob))
      .rejects('document-trashed');
  });

  it('do not readmit a member whom an owner removed afterwards', () => {
    const remove = commandOf(ada, 'RemoveMember', { principalId: bob });
    const removed = recorded('MemberRemoved', { principalId: bob });
    const withdrawn = recorded('InvitationWithdrawn', { invitationId: first });
    const byName = [created, example.shared(1, 'a', 'viewer'), example.joinedByLink(1, bob, 'viewer')] as const;
    given(document, ...byName, invited(1, { principalId: bob }, 'editor'))
      .when(remove)
      .then(withdrawn, removed);
    // As removals were recorded before they withdrew anything.
    given(document, ...byName, invited(1, { principalId: bob }, 'editor'), removed)
      .when(accept(bob))
      .rejects('invitation-unknown');
    const bySecret = [created, memberAdded(bob, 'viewer'), invited(1, { secretHash: hash('a') }, 'editor')] as const;
    given(document, ...bySecret)
      .when(remove)
      .then(removed);
    given(document, ...bySecret, removed)
      .when(accept(bob, hash('a')))
      .rejects('invitation-unknown');
    given(document, ...bySecret, removed)
      .when(accept(cem, hash('a')))
      .then(accepted(cem, 'editor'));
    given(document, ...bySecret, removed, invited(2, { secretHash: hash('b') }, 'editor'))
      .when(commandOf(bob, 'AcceptInvitation', { invitationId: second, secretHash: hash('b'), at: noon }))
      .then(recorded('InvitationAccepted', { invitationId: second, principalId: bob, role: 'editor' }));
    given(document, ...bySecret, recorded('MemberLeft', { principalId: bob }))
      .when(accept(bob, hash('a')))
      .then(accepted(bob, 'editor'));
  });

  it('do not undo a role that an owner set afterwards', () => {
    const change = commandOf(ada, 'ChangeRole', { principalId: bob, role: 'viewer' });
    const changed = recorded('MemberRoleChanged', { principalId: bob, role: 'viewer' });
    const byName = [created, example.shared(1, 'a', 'editor'), example.joinedByLink(1, bob, 'editor')] as const;
    given(document, ...byName, invited(1, { principalId: bob }, 'editor'))
      .when(change)
      .then(recorded('InvitationWithdrawn', { invitationId: first }), changed);
    const bySecret = [created, memberAdded(bob, 'editor'), invited(1, { secretHash: hash('a') }, 'editor')] as const;
    given(document, ...bySecret, changed)
      .when(accept(bob, hash('a')))
      .thenNothing();
    given(document, ...bySecret, changed)
      .when(accept(cem, hash('a')))
      .then(accepted(cem, 'editor'));
  });
});
