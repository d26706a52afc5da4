/** Opaque, signed positions for clients, valid for one stream and tenant. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { CursorRefusal, Cursors } from '../pagination';
import { parsePosition } from '../read-your-writes';

export interface StreamIds {
  readonly write: (tenantId: string, position: bigint) => string;
  /** Left: the id is not valid for this stream and tenant, or of another log. */
  readonly read: (tenantId: string, id: string) => Either<CursorRefusal, bigint>;
}

/** Whatever is filtered: a position holds for the whole stream of the tenant, so that an event has one id for all. */
const scopeOf = (name: string, tenantId: string) => ['stream', name, tenantId];

export const streamIds = (cursors: Cursors, name: string): StreamIds => ({
  write: (tenantId, position) => cursors.write(scopeOf(name, tenantId), [String(position)]),
  read: (tenantId, id) => {
    const read = cursors.read(scopeOf(name, tenantId), id);
    if (isLeft(read)) return read;
    const position = parsePosition(String(read.right[0]));
    return position === undefined ? left('not-valid') : right(position);
  },
});
