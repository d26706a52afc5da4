import assert from 'node:assert/strict';
import type { OperationId } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import { client, writer } from '../document-owner/fixture';
import { openScene, type Person, type Scene } from './fixture';

const documentId = 'doc-1';
const operations = (more: object) => ({ type: 'operations', documentId, clientSeq: 1, operations: [], ...more });

describe('hostile clients of documents', () => {
  let scene: Scene;
  let honest: Person;
  beforeEach(async () => {
    scene = await openScene();
    honest = await scene.endpoints.comes('ada');
    await honest.join();
  });
  afterEach(async () => {
    // Hostile clients do not disturb the others.
    honest.sendMessage({ type: 'ping' });
    await honest.receive('pong');
    await scene.close();
  });

  const refusals: readonly (readonly [string, object, string])[] = [
    ['an unknown type', { type: 'drop' }, 'malformed'],
    ['no type', {}, 'malformed'],
    ['a list', [], 'malformed'],
    ['an operation of no form', operations({ operations: [{ type: 'createNode' }] }), 'malformed'],
    ['a batch before it has joined', operations({ operations: [writer(client('eve')).create(1)] }), 'not-joined'],
    ['whereabouts before it has joined', { type: 'presence' }, 'not-joined'],
    [
      'a join of no document',
      { type: 'join', documentId: '../x', lastCommittedVersion: 0, capabilities: [] },
      'malformed',
    ],
    ['a version that is none', { type: 'join', documentId, lastCommittedVersion: -1, capabilities: [] }, 'malformed'],
  ];
  for (const [what, message, code] of refusals)
    it(`are refused ${what}, with the reason`, async () => {
      const eve = await scene.endpoints.comes('eve');
      eve.sendMessage(message);
      assert.equal((await eve.receive('error')).code, code);
    });

  it('cannot send operations of other clients or other documents', async () => {
    const eve = await scene.endpoints.comes('eve');
    const { clientId } = await eve.join();
    const write = writer(clientId);
    eve.client.sendJson(operations({ operations: [{ ...write.create(1), documentId: 'doc-2' }] }));
    assert.equal((await eve.receive('error')).code, 'malformed');
    eve.send({ ...write.create(1), clientSeq: 1, actorId: 'ada', opId: `${clientId}-1` as never });
    assert.deepEqual(
      (await eve.receive('operations')).operations.map(({ actorId }) => actorId),
      ['eve'],
    );
    eve.client.sendJson({ ...operations({ operations: [write.create(3)] }), clientSeq: 99 });
    assert.equal((await eve.receive('error')).code, 'malformed');
  });

  it('cannot change prototypes', async () => {
    const eve = await scene.endpoints.comes('eve');
    const { clientId } = await eve.join();
    const write = writer(clientId);
    const operation = write.set(write.idOf(1), '__proto__', { isAdmin: true });
    const text = JSON.stringify(operations({ operations: [operation] }));
    eve.client.socket.send(text.replace('"baseVersion"', '"__proto__":{"isAdmin":true},"baseVersion"'));
    // Without that name nothing is left of it.
    assert.equal((await eve.receive('ack')).results?.[0]?.reason, 'nothing-changes');
    assert.equal(({} as { readonly isAdmin?: boolean }).isAdmin, undefined);
  });

  it('are disconnected with a reason for binary, oversized or invalid JSON messages', async () => {
    const cases: readonly (readonly [string | Buffer, number, string])[] = [
      ['{', 4400, 'malformed-message'],
      [Buffer.from([1, 2, 3]), 1003, 'not-text'],
      [`"${'x'.repeat(2_200_000)}"`, 1009, 'message-too-large'],
    ];
    for (const [sent, code, reason] of cases) {
      const eve = await scene.endpoints.comes('eve');
      eve.client.socket.send(sent);
      assert.deepEqual(await eve.client.closed, { code, reason });
    }
  });

  it('get the same refusal for too deep nesting, at the socket and over HTTP', async () => {
    const eve = await scene.endpoints.comes('eve');
    const { clientId } = await eve.join();
    const write = writer(clientId);
    const program = writer(client('program'));
    eve.send(write.create(1));
    await eve.receive('ack');
    const sent = (operation: Operation, levels: number): string =>
      JSON.stringify(operation).replace('"deep"', '['.repeat(levels) + ']'.repeat(levels));
    for (const levels of [31, 32, 33, 40, 55, 60, 64, 65, 100, 5_000]) {
      const expected = levels <= 32 ? [] : ['malformed'];
      const operation = write.set(write.idOf(1), `deep${levels}`, 'deep');
      const { clientSeq } = operation;
      eve.client.socket.send(
        `{"type":"operations","documentId":"${documentId}","clientSeq":${clientSeq},"operations":[${sent(operation, levels)}]}`,
      );
      const { results = [] } = await eve.receive('ack');
      assert.deepEqual([levels, ...results.flatMap(({ reason }) => reason ?? [])], [levels, ...expected]);
      const other = program.set(write.idOf(1), `asked${levels}`, 'deep', { opId: `at-${levels}` as OperationId });
      const batch = `{"operations":[${sent(other, levels)}]}`;
      const answer = (await (await scene.endpoints.posts('eve', batch)).json()) as { results: { reason?: string }[] };
      assert.deepEqual([levels, ...answer.results.flatMap(({ reason }) => reason ?? [])], [levels, ...expected]);
    }
  });

  it('get an error for a batch that is too large, and stay connected', async () => {
    const eve = await scene.endpoints.comes('eve');
    const { clientId } = await eve.join();
    const write = writer(clientId);
    eve.send(write.set(write.idOf(1), 'name', 'x'.repeat(limits.batchBytes + 2_000)));
    const { code, clientSeq } = await eve.receive('error');
    assert.deepEqual([code, clientSeq], ['batch-too-large', 1]);
    eve.sendMessage({ type: 'ping' });
    await eve.receive('pong');
  });

  it('are disconnected when they flood', async () => {
    const eve = await scene.endpoints.comes('eve');
    for (let count = 0; count < 1_000; count += 1) eve.sendMessage({ type: 'ping' });
    assert.equal((await eve.client.closed).code, 4429);
  });
});
