import assert from 'node:assert/strict';
import { context as editorProjections } from '../../../../projections/editor/context';
import { documentsProjection } from '../../../../projections/editor/documents/project';
import { documentInvitationsProjection } from '../../../../projections/editor/invitations/project';
import { documentMembersProjection } from '../../../../projections/editor/members/project';
import * as example from '../examples';
import { committed, snapshotTaken, told } from '../recorded';
import { only, type Row, rowsOf } from './rows';

const { ada, bob, came, cem, created, documentId, invited, isMember, later, linkId, noon, recorded, shared } = example;

describe('views of documents', () => {
  it('hold the document as it is, its revision that of what is said of it', async () => {
    const rows = await rowsOf(documentsProjection, [
      told(created),
      told({ type: 'OwnershipTaken', data: { documentId, epoch: 1, ownerProcessId: 'o-1' } }),
      told(committed(1, [{}, {}]), 'ada', later),
      told(snapshotTaken(2)),
      told(recorded('DocumentRenamed', { title: 'HOME' }), 'ada', later),
      told(shared(1, 'a', 'viewer')),
      told(recorded('DocumentTrashed', {}), 'ada', later),
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
        told(created),
        told(recorded('DocumentTrashed', {})),
        told(recorded('DocumentDeleted', { members: [ada], invitations: [] })),
        told(committed(1, [{}])),
      ]),
      [],
    );
  });

  it('begin where the content was copied from, and are another document all the same', async () => {
    const { snapshot } = snapshotTaken(7).data;
    const from = { documentId: 'd-0' as typeof documentId, version: 7 };
    const copied = (copiedFrom: object) =>
      recorded('DocumentCreated', {
        ...{ title: 'Copy', homeRegion: 'local', createdBy: ada, createdAt: noon },
        copiedFrom: copiedFrom as typeof from,
      });
    const content = told({ type: 'ContentCopied', data: { documentId, from, snapshot } });
    const shown = async (...events: Parameters<typeof rowsOf>[1]) =>
      only(await rowsOf(documentsProjection, events), 'documentId', 'headVersion', 'copiedFrom', 'snapshot');
    // What was copied is there before the document is.
    assert.deepEqual(await shown(content, told(copied({ ...from, snapshot }))), [[documentId, 7, from, snapshot]]);
    assert.deepEqual(await shown(content, told(copied(from))), [[documentId, 7, from, null]]);
  });

  it('know who has which role, by name or by the link', async () => {
    const begun = [
      told(created),
      told(shared(1, 'a', 'viewer')),
      told(came(1, bob, 'viewer')),
      told(came(1, cem, 'viewer')),
      told(recorded('LinkRoleChanged', { linkId: linkId(1), role: 'editor', visitors: [bob, cem] })),
      told(recorded('MemberRoleChanged', { principalId: bob, role: 'commenter' }), 'ada', later),
    ];
    const members = (rows: readonly Row[]) => only(rows, 'principalId', 'role', 'byLink', 'joinedAt');
    assert.deepEqual(members(await rowsOf(documentMembersProjection, begun)), [
      ['ada', 'owner', false, noon],
      ['bob', 'commenter', false, noon],
      ['cem', 'editor', true, noon],
    ]);
    const closed = told(recorded('LinkClosed', { linkId: linkId(1), visitors: [cem] }));
    const left = told(recorded('MemberLeft', { principalId: bob }));
    assert.deepEqual(members(await rowsOf(documentMembersProjection, [...begun, closed, left])), [
      ['ada', 'owner', false, noon],
    ]);
    const deleted = told(recorded('DocumentDeleted', { members: [ada, bob, cem], invitations: [] }));
    assert.deepEqual(await rowsOf(documentMembersProjection, [...begun, deleted]), []);
  });

  it('tell who was made an owner by an administrator, and when, as long as they are owner by that', async () => {
    const appointed = told(recorded('OwnerAppointed', { principalId: bob, appointedBy: example.dee }), 'dee', later);
    const begun = [told(created), told(isMember(bob, 'viewer')), appointed];
    const accepted = (role: 'owner' | 'editor') =>
      told(recorded('InvitationAccepted', { invitationId: example.invitationId(1), principalId: bob, role }), 'bob');
    const lesser = told(recorded('MemberRoleChanged', { principalId: bob, role: 'editor' }));
    const again = told(recorded('MemberRoleChanged', { principalId: bob, role: 'owner' }));
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
      told(created),
      told(recorded('OwnerAppointed', { principalId: cem, appointedBy: example.dee }), 'dee', later),
    ]);
    assert.deepEqual(only(rows, 'principalId', 'appointedBy', 'joinedAt'), [
      ['ada', null, noon],
      ['cem', 'dee', later],
    ]);
  });

  it('tell what became of invitations, and nothing of their secrets', async () => {
    const rows = await rowsOf(documentInvitationsProjection, [
      told(created),
      told(invited(1, { principalId: bob }, 'editor')),
      told(invited(2, { secretHash: example.hash('a') }, 'viewer')),
      told(invited(3, { principalId: cem }, 'viewer')),
      told(invited(4, { secretHash: example.hash('b') }, 'viewer')),
      told(recorded('InvitationAccepted', { invitationId: example.invitationId(2), principalId: cem, role: 'viewer' })),
      told(recorded('InvitationDeclined', { invitationId: example.invitationId(1), principalId: bob }), 'bob', later),
      told(recorded('InvitationWithdrawn', { invitationId: example.invitationId(3) })),
    ]);
    assert.deepEqual(only(rows, 'invitationId', 'status', 'acceptedBy', 'endedAt'), [
      ['i-1', 'declined', null, later],
      ['i-2', 'accepted', 'cem', noon],
      ['i-3', 'withdrawn', null, noon],
      ['i-4', 'open', null, null],
    ]);
    assert.ok(!JSON.stringify(rows).includes(example.hash('a')));
  });

  it('show another tenant nothing', async () => {
    const events = [
      told(created),
      told(invited(1, { principalId: bob }, 'editor')),
      told(isMember(bob, 'editor')),
      told(committed(1, [{}])),
      told(recorded('VersionNamed', { version: 1, name: 'x' })),
    ];
    for (const projection of editorProjections) {
      assert.ok((await rowsOf(projection, events)).length > 0, projection.view.name);
      assert.deepEqual(await rowsOf(projection, events, 'other'), []);
    }
  });
});
