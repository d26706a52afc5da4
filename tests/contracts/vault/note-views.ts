/** Personal views of notes in the three stores, and a projector over them that can kill its own process in the middle of an erasure. */

import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import type { View, ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { noteIndex, noteKeys, noteProjection, noteTable } from '../../support/domain/notes-context';

export interface NoteView {
  readonly store: View['store'];
  readonly projection: Projection;
  readonly writer: ViewWriter;
}

export interface StoreAddresses {
  readonly database: string;
  readonly redis: string;
  readonly elastic: string;
}

/** The name is of the view in this store alone: registries are shared. */
export const openNoteView = (store: View['store'], name: string, at: StoreAddresses): NoteView => {
  const { database: url, redis, elastic } = at;
  switch (store) {
    case 'postgres':
      return { store, projection: noteProjection(noteTable(name)), writer: openPostgresWriter({ url }) };
    case 'redis':
      return { store, projection: noteProjection(noteKeys(name)), writer: openRedisWriter(redis) };
    case 'elastic': {
      const writer = openElasticWriter({ url: elastic, postgresUrl: url });
      return { store, projection: noteProjection(noteIndex(name)), writer };
    }
  }
};
