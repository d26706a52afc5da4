import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { documents } from '../../../../domain/editor/document/events';
import { type OperationLogEvent, operationLog } from '../../../../domain/editor/operation-log/events';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { coalesceReads } from '../../../../infra/adapters/eventstore/read/coalesced-reads';
import { streamPagesOf } from '../../../../infra/adapters/eventstore/read/stream-pages';
import type { StreamReader } from '../../../../infra/ports/stream-pages';
import { openAccessReader } from '../../../../infra/server/documents/document-access';
import type { Answer } from '../../../../infra/server/http/routing/route';
import { listOperations } from '../../../../read-api/editor/operations';
import type { QueryDeps } from '../../../../read-api/kernel/row-queries';
import { bob, created, documentId, memberAdded, recorded } from '../examples';
import { operationsCommitted, snapshotTaken } from '../recorded';
import { ada, cem, metadataOf, someone } from '../routes/fixture';

interface Page {
  readonly operations: readonly { readonly opId: string }[];
  readonly toVersion: number;
  readonly headVersion: number;
  readonly nextAfterVersion: number | null;
}

const taken = (epoch: number): OperationLogEvent => ({
  type: 'OwnershipTaken',
  data: { documentId, epoch, ownerProcessId: 'o-1' },
});

/** Sizes of batches; 0 is another owner, -1 a snapshot. */
const logOf = (sizes: readonly number[]): { events: readonly OperationLogEvent[]; head: number } => {
  let head = 0;
  const events = sizes.map((size, index) => {
    if (size === 0) return taken(index + 1);
    if (size < 0) return snapshotTaken(head);
    const event = operationsCommitted(
      head + 1,
      Array.from({ length: size }, () => ({})),
    );
    head += size;
    return event;
  });
  return { events, head };
};

const open = async (events: readonly OperationLogEvent[], about = [created, memberAdded(bob, 'viewer')]) => {
  const store = openMemoryEventStore();
  const append = async (stream: string, encoded: readonly { type: string; data: unknown }[]): Promise<void> => {
    for (const one of encoded) {
      const event = { id: crypto.randomUUID(), ...one, metadata: metadataOf('acme') };
      assert.ok(isRight(await store.append(stream, 'any', [event])));
    }
  };
  await append(`editor.document-acme.${documentId}`, about.map(documents.encode));
  await append(`editor.log-acme.${documentId}`, events.map(operationLog.encode));
  let reads = 0;
  const pages: StreamReader = (page) => {
    reads += 1;
    return streamPagesOf(store)(page);
  };
  const reading = { ...({} as QueryDeps), access: openAccessReader(coalesceReads(store)), pages };
  const requestPage = (afterVersion: number, limit = 500, identity = ada): Promise<Answer> => {
    const request = { identity, params: { documentId }, query: { afterVersion, limit }, headers: {}, body: undefined };
    return listOperations.handle(reading, {
      ...request,
      requestId: 'r',
      target: '/',
      signal: new AbortController().signal,
    });
  };
  const page = async (afterVersion: number, limit?: number): Promise<Page> => {
    const answer = await requestPage(afterVersion, limit);
    assert.ok('body' in answer, JSON.stringify(answer));
    return answer.body as Page;
  };
  return { requestPage, page, reads: () => reads };
};

const codeOf = (answer: Answer): string => ('problem' in answer ? answer.problem.code : 'none');

describe('operations of a document after a version', () => {
  it('are complete page by page, from any version', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -1, max: 7 }), { maxLength: 60 }),
        fc.nat(40),
        fc.integer({ min: 1, max: 9 }),
        async (sizes, afterVersion, limit) => {
          const { events, head } = logOf(sizes);
          const { page } = await open(events);
          const got: string[] = [];
          for (let after: number | null = afterVersion; after !== null; ) {
            const found: Page = await page(after, limit);
            assert.equal(found.headVersion, head);
            assert.equal(found.toVersion, after + found.operations.length);
            got.push(...found.operations.map(({ opId }) => opId));
            after = found.nextAfterVersion;
          }
          const wanted = Array.from(
            { length: Math.max(0, head - afterVersion) },
            (_, index) => afterVersion + index + 1,
          );
          assert.deepEqual(
            got,
            wanted.map((version) => `k3Jx09aPqZ-${version}`),
          );
        },
      ),
      { numRuns: 60 },
    ));

  it('are found in a long log with few reads', async () => {
    const { events } = logOf(Array.from({ length: 3_000 }, () => 1));
    const { page, reads } = await open(events);
    for (const afterVersion of [0, 1, 1_234, 2_960, 2_999]) {
      const before = reads();
      const found = await page(afterVersion, 5);
      assert.equal(found.operations[0]?.opId, `k3Jx09aPqZ-${afterVersion + 1}`);
      assert.ok(reads() - before < 20, `${reads() - before} reads`);
    }
  });

  it('begin after a copy’s base version, and earlier versions are refused', async () => {
    const { snapshot } = snapshotTaken(7, 'd-0').data;
    const from = { documentId: 'd-0' as typeof documentId, version: 7 };
    const copied: OperationLogEvent = { type: 'ContentCopied', data: { documentId, from, snapshot } };
    const { requestPage, page } = await open([copied, taken(1), operationsCommitted(8, [{}, {}])]);
    assert.equal(codeOf(await requestPage(3)), 'history-unavailable');
    assert.deepEqual((await page(7)).operations.length, 2);
    assert.deepEqual(await page(9), { operations: [], toVersion: 9, headVersion: 9, nextAfterVersion: null });
  });

  it('require a role that the stream confirms now', async () => {
    const { requestPage } = await open([operationsCommitted(1, [{}])]);
    assert.equal(codeOf(await requestPage(0, 5, { ...ada, principalId: 'bob' })), 'none');
    assert.equal(codeOf(await requestPage(0, 5, cem)), 'not-found');
    assert.equal(codeOf(await requestPage(0, 5, someone('ada', 'other'))), 'not-found');
    const trashed = await open(
      [operationsCommitted(1, [{}])],
      [created, memberAdded(bob, 'editor'), recorded('DocumentTrashed', {})],
    );
    assert.equal(codeOf(await trashed.requestPage(0)), 'none');
    assert.equal(codeOf(await trashed.requestPage(0, 5, { ...ada, principalId: 'bob' })), 'document-trashed');
  });
});
