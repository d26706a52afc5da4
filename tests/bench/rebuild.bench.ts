/**
 * Rebuilding a view against merely reading the same events. `alone` shows where the time goes; `live` is the proof at
 * full size, with commands and reads in a process beside it. `REBUILD_EVENTS` and `REBUILD_LIVE_EVENTS` change the
 * sizes.
 */
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openViewStatusStore } from '../../infra/adapters/postgres/views/view-status-store';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { alone } from './rebuild/alone';
import { live } from './rebuild/live';
import { must, type Place } from './rebuild/workplace';

export const parts = ['alone', 'live'] as const;

const ways: { readonly [part in (typeof parts)[number]]: (place: Place) => Promise<void> } = { alone, live };

const openPlace = async (data: string) => {
  const node = await startEventStoreNode(data);
  const url = await freshDatabase();
  const reading = must(await migrate({ url, readerPassword: 'only for reading' }));
  const store = openEventStore({ url: node.url });
  const [writer, ledger] = [openPostgresWriter({ url }), openViewStatusStore({ url })];
  const close = async (): Promise<void> => {
    await Promise.all([store, writer, ledger].map((part) => part.close()));
    await node.stop();
  };
  return { store, writer, ledger, log: node.url, postgres: url, reading, close };
};

/** On a log of its own each. */
export const run = async (chosen: readonly string[]): Promise<void> => {
  try {
    for (const part of parts.filter((one) => chosen.length === 0 || chosen.includes(one))) {
      const data = temporaryDirectory(`bench-rebuild-${part}`);
      const place = await openPlace(data.path);
      try {
        await ways[part](place);
      } finally {
        await place.close();
      }
      data.remove();
    }
  } finally {
    await stopServers();
  }
};
