import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import type { EventStore } from '../../../infra/ports/event-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type NodeProcess, startEventStoreNode } from '../../support/servers/event-store-node';

const once = async (store: EventStore): Promise<boolean> => {
  const event = { id: randomUUID(), type: 'sample.Done.v1', data: {}, metadata: {} };
  return isRight(await store.append(`sample.apart-acme.${event.id}`, 'no-stream', [event]));
};

describe('two event stores in one process', function () {
  this.timeout(60_000);
  const data = [temporaryDirectory('apart'), temporaryDirectory('apart')];
  let nodes: readonly NodeProcess[];
  before(async () => {
    nodes = await Promise.all(data.map(({ path }) => startEventStoreNode(path)));
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    for (const { remove } of data) remove();
  });

  it('leaves the appends of one alone when the other is killed', async () => {
    const [mortal, other] = nodes.map(({ url }) => openEventStore({ url }));
    assert.ok(mortal && other);
    const outcomes: boolean[] = [];
    let enough = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      enough = resolve;
    });
    let dead = false;
    const untilDead = async (): Promise<void> => {
      while (await once(mortal)) if (outcomes.length > 300) enough();
    };
    const meanwhile = async (): Promise<void> => {
      for (let after = 0; after < 100; after += dead ? 1 : 0) outcomes.push(await once(other));
    };
    const all = [...Array.from({ length: 8 }, untilDead), ...Array.from({ length: 8 }, meanwhile)];
    await busy;
    await nodes[0]?.kill();
    dead = true;
    await Promise.all(all);
    assert.ok(outcomes.every(Boolean), `${outcomes.filter((done) => !done).length} of ${outcomes.length} failed`);
    await Promise.all([mortal.close(), other.close()]);
  });
});
