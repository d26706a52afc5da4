/** A view that receives no events because the log or the vault is away reports it: it must not read as up to date. */
import assert from 'node:assert/strict';
import { left } from 'fp-ts/Either';
import { unavailable } from '../../../infra/adapters/eventstore/faults';
import type { EventStore } from '../../../infra/ports/event-store';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { counterProjection, recordTicks } from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { eventually } from '../../support/waiting/eventually';

const vaultDetail = 'The vault cannot be reached right now.';

/** Reads events that need a key as a store over a vault does. */
const overVault = (store: EventStore, isAway: () => boolean): EventStore => {
  const keyed = async function* <Message>(stream: AsyncIterable<Message>): AsyncGenerator<Message> {
    for await (const message of stream) {
      const isEvent =
        (message as { readonly kind?: string }).kind === undefined || (message as { kind: string }).kind === 'event';
      if (isEvent && isAway()) throw Object.assign(new Error(vaultDetail), { code: 'vault-unavailable' });
      yield message;
    }
  };
  return {
    ...store,
    readAll: (request) => keyed(store.readAll(request)),
    subscribeAll: (request) => keyed(store.subscribeAll(request)),
  };
};

describe('a view to which nothing comes', () => {
  const { stage, table, run, reaches } = useProjectors();
  const projection = counterProjection(table);
  let isAway = false;
  beforeEach(() => {
    isAway = false;
    stage.store = overVault(stage.store, () => isAway);
  });

  const reportsPhase = (projector: ReturnType<typeof run>, phase: string, detail?: string) =>
    eventually(async () => {
      const [status] = projector.status();
      assert.deepEqual([status?.phase, status?.detail], [phase, detail]);
    });

  it('waits for the vault, by name, and goes on by itself', async () => {
    const projector = run(projection);
    await recordTicks(stage.store, 'c', 1);
    await reaches('c', 1);
    await reportsPhase(projector, 'live');
    isAway = true;
    await recordTicks(stage.store, 'd', 1);
    await reportsPhase(projector, 'waiting', vaultDetail);
    isAway = false;
    await reaches('d', 1);
    await reportsPhase(projector, 'live');
  });

  it('waits for the vault also while it reads the past', async () => {
    await recordTicks(stage.store, 'c', 1);
    isAway = true;
    const projector = run(projection);
    await reportsPhase(projector, 'waiting', vaultDetail);
    isAway = false;
    await reaches('c', 1);
    await reportsPhase(projector, 'live');
  });

  it('waits for the log, whose head cannot be had', async () => {
    const { head } = stage.store;
    stage.store = { ...stage.store, head: async () => (isAway ? left(unavailable()) : head()) };
    const projector = run(projection);
    await recordTicks(stage.store, 'c', 1);
    await reaches('c', 1);
    await reportsPhase(projector, 'live');
    isAway = true;
    await reportsPhase(projector, 'waiting', unavailable().detail);
    isAway = false;
    await reportsPhase(projector, 'live');
  });

  it('lets a rebuild wait, which says for what', async () => {
    await recordTicks(stage.store, 'c', 5);
    run(projection);
    await reaches('c', 5);
    isAway = true;
    const details: unknown[] = [];
    const rebuilt = await rebuild({
      store: stage.store,
      writer: stage.views.writer,
      signal: new AbortController().signal,
      projection,
      acceptDifferences: false,
      progress: ({ detail }, message) => {
        if (!message.startsWith('waiting')) return;
        details.push(detail);
        isAway = false;
      },
    });
    assert.equal(rebuilt._tag, 'Right');
    assert.deepEqual(details, [vaultDetail]);
  });
});
