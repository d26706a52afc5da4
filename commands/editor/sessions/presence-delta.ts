/** What is told of members: all of it; or of those who only moved, where to, for clients that read that. */
import { isDeepStrictEqual } from 'node:util';
import { type CursorMove, cursorMovesCapability, type Presence } from '../../../domain/editor/protocol/presence';
import { encodeMessage } from './message-encoding';

/** Each is made when somebody is told it. */
export interface EncodedPresence {
  readonly full: () => Buffer;
  readonly delta: () => Buffer;
}

export interface PresenceEncoder {
  readonly encode: (changed: readonly Presence[]) => EncodedPresence;
  /** Who comes again is told whole. */
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

/** All is told again after this: until when somebody stays, and to those who had given them up for gone. */
const fullUpdateMilliseconds = 5_000;

const hasSameView = (before: Presence, { viewport, selectedNodeIds }: Presence): boolean =>
  isDeepStrictEqual([before.viewport, before.selectedNodeIds], [viewport, selectedNodeIds]);

/** Since they were told whole. Undefined where more than that is new. */
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
