/** Where others are, and telling them where this one is: the latest word only, and not too often. */
import type { NodeId } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import type { FromClient } from '../../../domain/editor/messages/from-client';
import type { Moved, Presence } from '../../../domain/editor/messages/presence';
import type { Platform } from './ports/platform';

export type Whereabouts = Partial<Pick<Presence, 'cursor' | 'viewport'>> & {
  readonly selectedNodeIds?: readonly NodeId[];
};

export interface PresenceOptions {
  readonly platform: Platform;
  /** Nothing is said while nobody listens. */
  readonly say: (message: FromClient) => void;
  readonly changed: (members: ReadonlyMap<string, Presence>) => void;
  /** Of this one, who is no member to itself. */
  readonly self: () => string | undefined;
}

export interface OpenPresence {
  readonly show: (whereabouts: Whereabouts) => void;
  readonly heard: (members: readonly Presence[], moved?: readonly Moved[]) => void;
  readonly members: () => ReadonlyMap<string, Presence>;
  /** A new line: nobody knows anything yet. */
  readonly joined: () => void;
  readonly left: () => void;
}

const betweenMilliseconds = 1_000 / 15;
const aloneMilliseconds = 1_000;
/** Who is still there says so now and then. */
const againMilliseconds = 5_000;
const lostMilliseconds = 20_000;

export const openPresence = ({ platform, say, changed, self }: PresenceOptions): OpenPresence => {
  const members = new Map<string, Presence>();
  const heardAt = new Map<string, number>();
  let shown: Whereabouts | undefined;
  let saidAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  let isJoined = false;
  const send = (): void => {
    cancel = undefined;
    if (!isJoined || shown === undefined) return;
    saidAt = platform.now();
    const { cursor, viewport, selectedNodeIds } = shown;
    say({
      type: 'presence',
      ...(cursor === undefined ? {} : { cursor }),
      ...(viewport === undefined ? {} : { viewport }),
      ...(selectedNodeIds === undefined ? {} : { selectedNodeIds: selectedNodeIds.slice(0, limits.selected) }),
    });
    cancel = platform.later(againMilliseconds, send);
  };
  const sendSoon = (): void => {
    const between = members.size === 0 ? aloneMilliseconds : betweenMilliseconds;
    cancel?.();
    cancel = platform.later(Math.max(0, saidAt + between - platform.now()), send);
  };
  const expire = (): void => {
    const oldest = platform.now() - lostMilliseconds;
    // Whoever leaves says 0. Otherwise by when they were heard of: clocks of others are not this one's.
    const isGone = ({ connectionId, expiresAt }: Presence): boolean =>
      expiresAt <= 0 || (heardAt.get(connectionId) ?? 0) < oldest;
    for (const member of [...members.values()].filter(isGone)) {
      members.delete(member.connectionId);
      heardAt.delete(member.connectionId);
    }
  };
  return {
    show: (whereabouts) => {
      shown = { ...shown, ...whereabouts };
      if (isJoined) sendSoon();
    },
    heard: (told, moved = []) => {
      const others = members.size;
      for (const member of told) {
        if (member.connectionId === self()) continue;
        members.set(member.connectionId, member);
        heardAt.set(member.connectionId, platform.now());
      }
      for (const [connectionId, x, y] of moved) {
        const member = members.get(connectionId);
        // Of one that is not known here yet all is told with the next word that is whole.
        if (member === undefined) continue;
        members.set(connectionId, { ...member, cursor: { x, y } });
        heardAt.set(connectionId, platform.now());
      }
      expire();
      changed(members);
      if (members.size > others && others === 0 && shown !== undefined) sendSoon();
    },
    members: () => {
      expire();
      return members;
    },
    joined: () => {
      isJoined = true;
      if (shown !== undefined) sendSoon();
    },
    left: () => {
      isJoined = false;
      cancel?.();
      members.clear();
      changed(members);
    },
  };
};
