import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { DocumentRegistry } from '../../../../commands/editor/document-owner/document-handle';
import { getNode } from '../../../../domain/editor/scene/scene';
import { eventually } from '../../../support/waiting/eventually';
import { client, events, opened, place, type Stage, stage, statuses, submit, writer } from '../fixture';
import { snapshotsEvery } from '../settings';

describe('the lifecycle of an owned document', () => {
  let now: Stage;
  let owner: DocumentRegistry;
  beforeEach(() => {
    now = stage({ snapshot: snapshotsEvery(10) });
    owner = now.owner();
  });
  afterEach(() => now.close());

  it('is opened once for concurrent requests', async () => {
    const [one, other] = await Promise.all([opened(owner), opened(owner)]);
    assert.equal(one, other);
    assert.deepEqual(
      (await events(now)).map(({ type }) => type),
      ['OwnershipTaken'],
    );
  });

  it('answers with its owner while another process owns it', async () => {
    await opened(owner);
    const elsewhere = await now.owner().open(place);
    assert.deepEqual(elsewhere, { _tag: 'Left', left: { kind: 'elsewhere', address: 'owner-1' } });
  });

  it('is not opened if it does not exist or is in the trash', async () => {
    now.roles.become('none');
    const none = await owner.open(place);
    now.roles.become('trashed');
    const trashed = await owner.open(place);
    assert.ok(isLeft(none) && none.left.kind === 'rejection' && none.left.code === 'not-found');
    assert.ok(isLeft(trashed) && trashed.left.kind === 'rejection' && trashed.left.code === 'trashed');
    assert.deepEqual(await events(now), []);
  });

  it('closes at once when it is moved to the trash', async () => {
    const document = await opened(owner);
    now.roles.become('trashed');
    assert.equal(document.ended.reason, 'trashed');
    assert.equal(owner.find(place), undefined);
  });

  it('closes when it is idle, and opens for the next request', async () => {
    await now.close();
    now = stage({ idleMilliseconds: 0, renewalMilliseconds: 5, snapshot: snapshotsEvery(10) });
    owner = now.owner();
    const ada = writer(client('ada'));
    const document = await opened(owner);
    const unfollow = document.subscribe(() => undefined);
    await submit(document, [ada.create(1)]);
    unfollow();
    await eventually(async () => assert.equal(document.ended.reason, 'unloaded'));
    assert.equal(now.shared.size, 0);
    assert.equal((await opened(owner)).committedVersion(), 1);
  });

  it('closes idle documents to make room', async () => {
    await now.close();
    now = stage({ maxDocuments: 1 });
    owner = now.owner();
    const document = await opened(owner);
    const unfollow = document.subscribe(() => undefined);
    const other = { ...place, documentId: 'doc-2' as typeof place.documentId };
    const refused = await owner.open(other);
    assert.ok(isLeft(refused) && refused.left.kind === 'fault');
    unfollow();
    assert.ok(isRight(await owner.open(other)));
    await eventually(async () => assert.equal(document.ended.reason, 'unloaded'));
  });

  it('finishes waiting batches before it closes', async () => {
    const ada = writer(client('ada'));
    const document = await opened(owner);
    const done = submit(document, [ada.create(1)]);
    await owner.close();
    assert.deepEqual(statuses(await done), ['applied']);
    const late = await document.submit({
      clientId: ada.clientId,
      principalId: 'ada',
      schema: 2,
      operations: [ada.create(2)],
    });
    assert.ok(isLeft(late) && late.left.kind === 'fault');
    assert.ok(getNode(document.scene(), ada.idOf(1)));
  });
});
