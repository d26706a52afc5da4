import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { DocumentHandle } from '../../../../commands/editor/document-owner/document-handle';
import { watchTakeovers } from '../../../../commands/editor/document-owner/registry/takeover-watch';
import type { EventStore } from '../../../../infra/ports/event-store';
import { eventually } from '../../../support/waiting/eventually';
import { recordingLog } from '../../../support/waiting/recording-log';
import { client, events, opened, place, type Stage, stage, stream, submit, writer } from '../fixture';

const fenced = (document: DocumentHandle) => eventually(async () => assert.equal(document.ended.reason, 'fenced'));

describe('an owner that is replaced without its lease, while no client writes', () => {
  let now: Stage;
  let over: AbortController;
  beforeEach(() => {
    now = stage();
    over = new AbortController();
  });
  afterEach(async () => {
    over.abort();
    await now.close();
  });
  const watch = (documents: Parameters<typeof watchTakeovers>[1], store: Partial<EventStore> = {}) =>
    watchTakeovers({ store: { ...now.store, ...store }, log: recordingLog(), signal: over.signal }, documents);

  it('learns of it from the log, and keeps its other documents', async () => {
    const documents = now.owner();
    void watch(documents);
    const held = await opened(documents);
    const other = await documents.open({ ...place, documentId: 'doc-2' as typeof place.documentId });
    const next = await opened(now.rival());
    await fenced(held);
    assert.ok(isRight(other) && !other.right.ended.aborted);
    assert.equal(next.ended.aborted, false);
  });

  it('learns of takeovers before its subscription', async () => {
    const documents = now.owner();
    const held = await opened(documents);
    await submit(held, [writer(client('ada')).create(1)]);
    await opened(now.rival());
    assert.equal(held.ended.aborted, false);
    void watch(documents);
    await fenced(held);
  });

  it('learns of it when its connection is back', async () => {
    let broken = 0;
    const subscribeAll: EventStore['subscribeAll'] = async function* (request) {
      for await (const recorded of now.store.subscribeAll(request)) {
        broken += 1;
        if (broken === 1) throw new Error('broken');
        yield recorded;
      }
    };
    const documents = now.owner();
    void watch(documents, { subscribeAll });
    const held = await opened(documents);
    await opened(now.rival());
    await fenced(held);
    assert.ok(broken > 1);
  });

  it('learns of it while it is opening the document', async () => {
    const rival = now.rival();
    const documents = now.owner({
      store: {
        ...now.store,
        append: async (...parameters) => {
          const appended = await now.store.append(...parameters);
          // Another process takes the document over before this one knows that it is the owner.
          const next = await rival.open(place);
          assert.ok(isRight(next));
          documents.handleTakeover(stream, next.right.epoch);
          return appended;
        },
      },
    });
    const held = await opened(documents);
    assert.equal(held.ended.reason, 'fenced');
    assert.deepEqual(
      (await events(now)).map((event) => event.type),
      ['OwnershipTaken', 'OwnershipTaken'],
    );
  });

  it('stays the owner when the takeover is its own', async () => {
    const documents = now.owner();
    const held = await opened(documents);
    documents.handleTakeover(stream, held.epoch);
    documents.handleTakeover('editor.log-acme.another', held.epoch + 1);
    documents.verifyOwnership();
    await submit(held, [writer(client('ada')).create(1)]);
    assert.equal(held.ended.aborted, false);
  });
});
