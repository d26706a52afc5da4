/** Opaque, signed positions for clients, valid for one stream and tenant. */
import { isLeft } from 'fp-ts/Either';
import type { Cursors } from '../pagination';
import { parsePosition } from '../read-your-writes';

export interface StreamIds {
  readonly write: (tenantId: string, position: bigint) => string;
  /** Undefined: the id is not valid for this stream and tenant. */
  readonly read: (tenantId: string, id: string) => bigint | undefined;
}

/** Whatever is filtered: a position holds for the whole stream of the tenant, so that an event has one id for all. */
const scopeOf = (name: string, tenantId: string) => ['stream', name, tenantId];

export const streamIds = (cursors: Cursors, name: string): StreamIds => ({
  write: (tenantId, position) => cursors.write(scopeOf(name, tenantId), [String(position)]),
  read: (tenantId, id) => {
    const read = cursors.read(scopeOf(name, tenantId), id);
    return isLeft(read) ? undefined : parsePosition(String(read.right[0]));
  },
});
