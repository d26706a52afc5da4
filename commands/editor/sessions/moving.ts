/** What is told of members: all of it; or of those who only moved, where to, for clients that read that. */
import { isDeepStrictEqual } from 'node:util';
import { type Moved, movedCapability, type Presence } from '../../../domain/editor/messages/presence';
import { said } from './words';

/** Each is made when somebody is told it. */
export interface Glimpse {
  readonly whole: () => Buffer;
  readonly brief: () => Buffer;
}

export interface Telling {
  readonly of: (changed: readonly Presence[]) => Glimpse;
  /** Who comes again is told whole. */
  readonly forget: (connectionId: string) => void;
}

export const readsMoves = ({ capabilities }: { readonly capabilities: readonly string[] }): boolean =>
  capabilities.includes(movedCapability);

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** All is told again after this: until when somebody stays, and to those who had given them up for gone. */
const againMilliseconds = 5_000;

const hasSameView = (before: Presence, { viewport, selectedNodeIds }: Presence): boolean =>
  isDeepStrictEqual([before.viewport, before.selectedNodeIds], [viewport, selectedNodeIds]);

/** Since they were told whole. Undefined where more than that is new. */
const moveOf = (before: Presence | undefined, now: Presence): Moved | undefined => {
  const { connectionId, cursor, expiresAt } = now;
  if (before?.cursor === undefined || cursor === undefined || expiresAt <= 0) return undefined;
  if (expiresAt - before.expiresAt >= againMilliseconds || !hasSameView(before, now)) return undefined;
  return [connectionId, cursor.x, cursor.y];
};

export const openTelling = (): Telling => {
  const told = new Map<string, Presence>();
  return {
    forget: (connectionId) => void told.delete(connectionId),
    of: (changed) => {
      const members: Presence[] = [];
      const moved: Moved[] = [];
      for (const member of changed) {
        const move = moveOf(told.get(member.connectionId), member);
        if (move !== undefined) {
          moved.push(move);
          continue;
        }
        members.push(member);
        told.set(member.connectionId, member);
      }
      return {
        whole: once(() => said({ type: 'presence', members: [...changed] })),
        brief: once(() => said({ type: 'presence', members, ...(moved.length > 0 && { moved }) })),
      };
    },
  };
};
