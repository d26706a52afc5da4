import assert from 'node:assert/strict';
import { context as editorProjections } from '../../../../projections/editor/context';
import { documentsProjection } from '../../../../projections/editor/documents/project';
import { documentInvitationsProjection } from '../../../../projections/editor/invitations/project';
import { documentMembersProjection } from '../../../../projections/editor/members/project';
import * as example from '../examples';
import { operationsCommitted, recordedEvent, snapshotTaken } from '../recorded';
import { only, type Row, rowsOf } from './rows';

const {
  ada,
  bob,
  joinedByLink,
  cem,
  created,
  documentId,
  invited,
  memberAdded,
  later,
  linkId,
  noon,
  recorded,
  shared,
} = example;

describe('views of documents', () => {
  it('have the document’s current state, with the revision of its stream', async () => {
    const rows = await rowsOf(documentsProjection, [
      recordedEvent(created),
      recordedEvent({ type: 'OwnershipTaken', data: { documentId, epoch: 1, ownerProcessId: 'o-1' } }),
      recordedEvent(operationsCommitted(1, [{}, {}]), 'ada', later),
      recordedEvent(snapshotTaken(2)),
      recordedEvent(recorded('DocumentRenamed', { title: 'HOME' }), 'ada', later),
      recordedEvent(shared(1, 'a', 'viewer')),
      recordedEvent(recorded('DocumentTrashed', {}), 'ada', later),
    ]);
    const [row] = rows;
    assert.deepEqual(
      only(rows, 'title', 'plainTitle', 'headVersion', 'updatedAt', 'status', 'trashedAt', 'linkRole', 'revision'),
      [['HOME', 'home', 2, later, 'trashed', later, 'viewer', 3]],
    );
    const { snapshot } = row as { snapshot: Row };
    assert.equal(snapshot.version, 2);
    assert.deepEqual(
      await rowsOf(documentsProjection, [
        recordedEvent(created),
        recordedEvent(recorded('DocumentTrashed', {})),
        recordedEvent(recorded('DocumentDeleted', { members: [ada], invitations: [] })),
        recordedEvent(operationsCommitted(1, [{}])),
      ]),
      [],
    );
  });

  it('start a copy at its base version, as a separate document', async () => {
    const { snapshot } = snapshotTaken(7).data;
    const from = { documentId: 'd-0' as typeof documentId, version: 7 };
    const copied = (copiedFrom: object) =>
      recorded('DocumentCreated', {
        title: 'Copy',
        homeRegion: 'local',
        createdBy: ada,
        createdAt: noon,
        copiedFrom: copiedFrom as typeof from,
      });
    const content = recordedEvent({ type: 'ContentCopied', data: { documentId, from, snapshot } });
    const rowsAfter = async (...events: Parameters<typeof rowsOf>[1]) =>
      only(await rowsOf(documentsProjection, events), 'documentId', 'headVersion', 'copiedFrom', 'snapshot');
    // What was copied is there before the document is.
    assert.deepEqual(await rowsAfter(content, recordedEvent(copied({ ...from, snapshot }))), [
      [documentId, 7, from, snapshot],
    ]);
    assert.deepEqual(await rowsAfter(content, recordedEvent(copied(from))), [[documentId, 7, from, null]]);
  });

  it('have every member’s role, own or by the link', async () => {
    const begun = [
      recordedEvent(created),
      recordedEvent(shared(1, 'a', 'viewer')),
      recordedEvent(joinedByLink(1, bob, 'viewer')),
      recordedEvent(joinedByLink(1, cem, 'viewer')),
      recordedEvent(recorded('LinkRoleChanged', { linkId: linkId(1), role: 'editor', visitors: [bob, cem] })),
      recordedEvent(recorded('MemberRoleChanged', { principalId: bob, role: 'commenter' }), 'ada', later),
    ];
    const members = (rows: readonly Row[]) => only(rows, 'principalId', 'role', 'byLink', 'joinedAt');
    assert.deepEqual(members(await rowsOf(documentMembersProjection, begun)), [
      ['ada', 'owner', false, noon],
      ['bob', 'commenter', false, noon],
      ['cem', 'editor', true, noon],
    ]);
    const closed = recordedEvent(recorded('LinkClosed', { linkId: linkId(1), visitors: [cem] }));
    const left = recordedEvent(recorded('MemberLeft', { principalId: bob }));
    assert.deepEqual(members(await rowsOf(documentMembersProjection, [...begun, closed, left])), [
      ['ada', 'owner', false, noon],
    ]);
    const deleted = recordedEvent(recorded('DocumentDeleted', { members: [ada, bob, cem], invitations: [] }));
    assert.deepEqual(await rowsOf(documentMembersProjection, [...begun, deleted]), []);
  });

  it('have who appointed an owner, and when, as long as the appointment stands', async () => {
    const appointed = recordedEvent(
      recorded('OwnerAppointed', { principalId: bob, appointedBy: example.dee }),
      'dee',
      later,
    );
    const begun = [recordedEvent(created), recordedEvent(memberAdded(bob, 'viewer')), appointed];
    const accepted = (role: 'owner' | 'editor') =>
      recordedEvent(
        recorded('InvitationAccepted', { invitationId: example.invitationId(1), principalId: bob, role }),
        'bob',
      );
    const lesser = recordedEvent(recorded('MemberRoleChanged', { principalId: bob, role: 'editor' }));
    const again = recordedEvent(recorded('MemberRoleChanged', { principalId: bob, role: 'owner' }));
    const bobAfter = async (...events: Parameters<typeof rowsOf>[1]) => {
      const rows = await rowsOf(documentMembersProjection, [...begun, ...events]);
      return only(rows, 'role', 'joinedAt', 'appointedBy', 'appointedAt')[1];
    };
    assert.deepEqual(await bobAfter(), ['owner', noon, 'dee', later]);
    assert.deepEqual(await bobAfter(accepted('owner')), ['owner', noon, 'dee', later]);
    assert.deepEqual(await bobAfter(lesser), ['editor', noon, null, null]);
    assert.deepEqual(await bobAfter(lesser, accepted('owner')), ['owner', noon, null, null]);
    assert.deepEqual(await bobAfter(lesser, again), ['owner', noon, null, null]);
    const rows = await rowsOf(documentMembersProjection, [
      recordedEvent(created),
      recordedEvent(recorded('OwnerAppointed', { principalId: cem, appointedBy: example.dee }), 'dee', later),
    ]);
    assert.deepEqual(only(rows, 'principalId', 'appointedBy', 'joinedAt'), [
      ['ada', null, noon],
      ['cem', 'dee', later],
    ]);
  });

  it('have the outcome of invitations, without secrets', async () => {
    const rows = await rowsOf(documentInvitationsProjection, [
      recordedEvent(created),
      recordedEvent(invited(1, { principalId: bob }, 'editor')),
      recordedEvent(invited(2, { secretHash: example.hash('a') }, 'viewer')),
      recordedEvent(invited(3, { principalId: cem }, 'viewer')),
      recordedEvent(invited(4, { secretHash: example.hash('b') }, 'viewer')),
      recordedEvent(
        recorded('InvitationAccepted', { invitationId: example.invitationId(2), principalId: cem, role: 'viewer' }),
      ),
      recordedEvent(
        recorded('InvitationDeclined', { invitationId: example.invitationId(1), principalId: bob }),
        'bob',
        later,
      ),
      recordedEvent(recorded('InvitationWithdrawn', { invitationId: example.invitationId(3) })),
    ]);
    assert.deepEqual(only(rows, 'invitationId', 'status', 'acceptedBy', 'endedAt'), [
      ['i-1', 'declined', null, later],
      ['i-2', 'accepted', 'cem', noon],
      ['i-3', 'withdrawn', null, noon],
      ['i-4', 'open', null, null],
    ]);
    assert.ok(!JSON.stringify(rows).includes(example.hash('a')));
  });

  it('have no rows for another tenant', async () => {
    const events = [
      recordedEvent(created),
      recordedEvent(invited(1, { principalId: bob }, 'editor')),
      recordedEvent(memberAdded(bob, 'editor')),
      recordedEvent(operationsCommitted(1, [{}])),
      recordedEvent(recorded('VersionNamed', { version: 1, name: 'x' })),
    ];
    for (const projection of editorProjections) {
      assert.ok((await rowsOf(projection, events)).length > 0, projection.view.name);
      assert.deepEqual(await rowsOf(projection, events, 'other'), []);
    }
  });
});
