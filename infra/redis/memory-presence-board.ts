/** Boards in memory, which several processes of a test may share. */
import { right } from 'fp-ts/Either';
import type { PresenceBoard } from '../ports/presence-board';

export type SharedBoards = Map<string, Map<string, string>>;

export const openMemoryPresence = (boards: SharedBoards = new Map()): PresenceBoard => ({
  write: async (board, { there, left }) => {
    const values = boards.get(board) ?? new Map<string, string>();
    for (const [name, value] of there) values.set(name, value);
    for (const name of left) values.delete(name);
    boards.set(board, values);
    return right(undefined);
  },
  read: async (board) => right([...(boards.get(board)?.values() ?? [])]),
  close: async () => undefined,
});
