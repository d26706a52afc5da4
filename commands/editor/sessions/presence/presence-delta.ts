/** Encodes presence updates: in full, or as cursor moves for clients that support them. */
import { isDeepStrictEqual } from 'node:util';
import { type CursorMove, cursorMovesCapability, type Presence } from '../../../../domain/editor/protocol/presence';
import { encodeMessage } from '../outbound/message-encoding';

/** Encoded on first use. */
export interface EncodedPresence {
  readonly full: () => Buffer;
  readonly delta: () => Buffer;
}

export interface PresenceEncoder {
  readonly encode: (changed: readonly Presence[]) => EncodedPresence;
  /** The next update of this connection is sent in full. */
  readonly forget: (connectionId: string) => void;
}

export const supportsCursorMoves = ({ capabilities }: { readonly capabilities: readonly string[] }): boolean =>
  capabilities.includes(cursorMovesCapability);

const memoize = <Value>(make: () => Value): (() => Value) => {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
};

/** After this time an update is sent in full: it extends the member's expiry. */
const fullUpdateMilliseconds = 5_000;

const hasSameView = (before: Presence, { viewport, selectedNodeIds }: Presence): boolean =>
  isDeepStrictEqual([before.viewport, before.selectedNodeIds], [viewport, selectedNodeIds]);

/** The cursor move since the last full update; undefined if anything else changed. */
const cursorMoveOf = (before: Presence | undefined, now: Presence): CursorMove | undefined => {
  const { connectionId, cursor, expiresAt } = now;
  if (before?.cursor === undefined || cursor === undefined || expiresAt <= 0) return undefined;
  if (expiresAt - before.expiresAt >= fullUpdateMilliseconds || !hasSameView(before, now)) return undefined;
  return [connectionId, cursor.x, cursor.y];
};

export const createPresenceEncoder = (): PresenceEncoder => {
  const lastSent = new Map<string, Presence>();
  return {
    forget: (connectionId) => void lastSent.delete(connectionId),
    encode: (changed) => {
      const members: Presence[] = [];
      const moved: CursorMove[] = [];
      for (const member of changed) {
        const move = cursorMoveOf(lastSent.get(member.connectionId), member);
        if (move !== undefined) {
          moved.push(move);
          continue;
        }
        members.push(member);
        lastSent.set(member.connectionId, member);
      }
      return {
        full: memoize(() => encodeMessage({ type: 'presence', members: [...changed] })),
        delta: memoize(() => encodeMessage({ type: 'presence', members, ...(moved.length > 0 && { moved }) })),
      };
    },
  };
};
