/** A view to which nothing comes, because the log or the vault is away, says so: it must not read as up to date. */
import assert from 'node:assert/strict';
import { left } from 'fp-ts/Either';
import { unavailable } from '../../../infra/eventstore/faults';
import type { EventStore } from '../../../infra/ports/event-store';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { counterProjection, recordTicks } from '../../support/domain/counter-context';
import { useProjectors } from '../../support/domain/projector-fixture';
import { eventually } from '../../support/waiting/eventually';

const vaultDetail = 'The vault cannot be reached right now.';

/** Reads events that need a key as a store over a vault does. */
const overVault = (store: EventStore, isAway: () => boolean): EventStore => {
  const keyed = async function* <Told>(stream: AsyncIterable<Told>): AsyncGenerator<Told> {
    for await (const told of stream) {
      const isEvent =
        (told as { readonly kind?: string }).kind === undefined || (told as { kind: string }).kind === 'event';
      if (isEvent && isAway()) throw Object.assign(new Error(vaultDetail), { code: 'vault-unavailable' });
      yield told;
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

  const says = (projector: ReturnType<typeof run>, phase: string, detail?: string) =>
    eventually(async () => {
      const [status] = projector.status();
      assert.deepEqual([status?.phase, status?.detail], [phase, detail]);
    });

  it('waits for the vault, by name, and goes on by itself', async () => {
    const projector = run(projection);
    await recordTicks(stage.store, 'c', 1);
    await reaches('c', 1);
    await says(projector, 'live');
    isAway = true;
    await recordTicks(stage.store, 'd', 1);
    await says(projector, 'waiting', vaultDetail);
    isAway = false;
    await reaches('d', 1);
    await says(projector, 'live');
  });

  it('waits for the vault also while it reads the past', async () => {
    await recordTicks(stage.store, 'c', 1);
    isAway = true;
    const projector = run(projection);
    await says(projector, 'waiting', vaultDetail);
    isAway = false;
    await reaches('c', 1);
    await says(projector, 'live');
  });

  it('waits for the log, whose head cannot be had', async () => {
    const { head } = stage.store;
    stage.store = { ...stage.store, head: async () => (isAway ? left(unavailable()) : head()) };
    const projector = run(projection);
    await recordTicks(stage.store, 'c', 1);
    await reaches('c', 1);
    await says(projector, 'live');
    isAway = true;
    await says(projector, 'waiting', unavailable().detail);
    isAway = false;
    await says(projector, 'live');
  });

  it('lets a rebuild wait, which says for what', async () => {
    await recordTicks(stage.store, 'c', 5);
    run(projection);
    await reaches('c', 5);
    isAway = true;
    const said: unknown[] = [];
    const rebuilt = await rebuild({
      ...{ store: stage.store, writer: stage.views.writer, signal: new AbortController().signal, projection },
      acceptDifferences: false,
      progress: ({ detail }, message) => {
        if (!message.startsWith('waiting')) return;
        said.push(detail);
        isAway = false;
      },
    });
    assert.equal(rebuilt._tag, 'Right');
    assert.deepEqual(said, [vaultDetail]);
  });
});
