import assert from 'node:assert/strict';
import { nodeActivityProjection } from '../../../../projections/editor/activity/project';
import { documentVersionsProjection } from '../../../../projections/editor/versions/project';
import { created, later, recorded } from '../examples';
import { nodeId, operationsCommitted, recordedEvent } from '../recorded';
import { only, rowsOf } from './rows';

describe('views of the history of a document', () => {
  it('group versions by author and ten minutes, and list names and restores separately', async () => {
    const restore = operationsCommitted(6, [
      { type: 'restoreVersion', targets: [], payload: { version: 2 }, actor: 'bob' },
    ]);
    const rows = await rowsOf(documentVersionsProjection, [
      recordedEvent(created),
      recordedEvent(operationsCommitted(1, [{}, {}]), 'ada', '2026-01-31T12:00:00.000Z'),
      recordedEvent(operationsCommitted(3, [{ actor: 'bob' }]), 'bob', '2026-01-31T12:01:00.000Z'),
      recordedEvent(operationsCommitted(4, [{}]), 'ada', '2026-01-31T12:09:00.000Z'),
      recordedEvent(operationsCommitted(5, [{}]), 'ada', '2026-01-31T12:10:00.000Z'),
      recordedEvent(restore, 'bob', '2026-01-31T12:11:00.000Z'),
      recordedEvent(recorded('VersionNamed', { version: 4, name: 'Draft' }), 'bob', later),
      recordedEvent(recorded('VersionNamed', { version: 5, name: 'x' })),
      recordedEvent(recorded('VersionRenamed', { version: 4, name: 'Reviewed' })),
      recordedEvent(recorded('VersionNameRemoved', { version: 5 })),
    ]);
    const values = only(rows, 'kind', 'author', 'fromVersion', 'version', 'name', 'restoredVersion');
    assert.deepEqual(
      values.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
      [
        ['before-restore', 'bob', 5, 5, 'Before version 2 was restored', null],
        ['edits', 'ada', 1, 4, null, null],
        ['edits', 'ada', 5, 5, null, null],
        ['edits', 'bob', 3, 3, null, null],
        ['named', 'bob', 4, 4, 'Reviewed', null],
        ['restored', 'bob', 6, 6, null, 2],
      ],
    );
    const first = rows.find(({ version, kind }) => version === 4 && kind === 'edits');
    assert.deepEqual([first?.startedAt, first?.at], ['2026-01-31T12:00:00.000Z', '2026-01-31T12:09:00.000Z']);
  });

  it('record who changed a node, and count a change of too many nodes as one of the document', async () => {
    const many = Array.from({ length: 201 }, (_, index) => index + 10);
    const rows = await rowsOf(nodeActivityProjection, [
      recordedEvent(
        operationsCommitted(1, [
          { type: 'createNode', targets: [], payload: { nodes: [{ id: nodeId(1) }, { id: nodeId(2) }] } },
          { targets: [1] },
          { type: 'deleteNode', targets: [2], payload: { deleted: [nodeId(3), nodeId(2)] } },
        ]),
      ),
      recordedEvent(operationsCommitted(4, [{ targets: [1], actor: 'bob' }, { targets: many }])),
    ]);
    assert.deepEqual(only(rows, 'nodeId', 'version', 'type', 'actorId'), [
      ['*', 5, 'setProperties', 'ada'],
      [nodeId(1), 2, 'setProperties', 'ada'],
      [nodeId(1), 4, 'setProperties', 'bob'],
      [nodeId(2), 3, 'deleteNode', 'ada'],
      [nodeId(3), 3, 'deleteNode', 'ada'],
    ]);
  });

  it('record who moved nodes whose parent was deleted', async () => {
    const payload = { deleted: [nodeId(1)], moves: [{ id: nodeId(2), parentId: null, orderKey: 'a0' }] };
    const spared = operationsCommitted(1, [{ type: 'deleteNode', targets: [1], payload }]);
    const rows = await rowsOf(nodeActivityProjection, [recordedEvent(spared)]);
    assert.deepEqual(only(rows, 'nodeId', 'version'), [
      [nodeId(1), 1],
      [nodeId(2), 1],
    ]);
  });

  it('bound the rows that one batch writes', async () => {
    const wide = Array.from({ length: 500 }, (_, operation) => ({
      targets: Array.from({ length: 200 }, (_target, index) => operation * 200 + index + 1),
    }));
    const rows = await rowsOf(nodeActivityProjection, [recordedEvent(operationsCommitted(1, wide))]);
    assert.equal(rows.length, 2_001);
  });
});
