/** Presence in memory; processes of one test may share the map. */
import { right } from 'fp-ts/Either';
import type { PresenceStore } from '../../../ports/editor/presence-store';

export type SharedPresence = Map<string, Map<string, string>>;

export const openMemoryPresenceStore = (boards: SharedPresence = new Map()): PresenceStore => ({
  write: async (board, { upserted, removed }) => {
    const values = boards.get(board) ?? new Map<string, string>();
    for (const [name, value] of upserted) values.set(name, value);
    for (const name of removed) values.delete(name);
    boards.set(board, values);
    return right(undefined);
  },
  read: async (board) => right([...(boards.get(board)?.values() ?? [])]),
  close: async () => undefined,
});
