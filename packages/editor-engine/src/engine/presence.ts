/** Sends the own presence, throttled to the latest value, and tracks other members. */
import type { NodeId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import type { CursorMove, Presence } from '../../../../domain/editor/protocol/presence';
import type { Platform } from '../ports/platform';

export type LocalPresence = Partial<Pick<Presence, 'cursor' | 'viewport'>> & {
  readonly selectedNodeIds?: readonly NodeId[];
};

export interface PresenceOptions {
  readonly platform: Platform;
  /** Does nothing while disconnected. */
  readonly send: (message: ClientMessage) => void;
  readonly changed: (members: ReadonlyMap<string, Presence>) => void;
  /** Connection id of this client, which is not its own member. */
  readonly self: () => string | undefined;
}

export interface PresenceChannel {
  readonly update: (presence: LocalPresence) => void;
  readonly receive: (members: readonly Presence[], moved?: readonly CursorMove[]) => void;
  readonly members: () => ReadonlyMap<string, Presence>;
  /** After each join, the presence is sent in full. */
  readonly connect: () => void;
  readonly disconnect: () => void;
}

const sendIntervalMilliseconds = 1_000 / 15;
const aloneIntervalMilliseconds = 1_000;
/** Presence is repeated, so that members can expire. */
const repeatMilliseconds = 5_000;
const memberTtlMilliseconds = 20_000;

export const openPresence = ({ platform, send, changed, self }: PresenceOptions): PresenceChannel => {
  const members = new Map<string, Presence>();
  const receivedAt = new Map<string, number>();
  let own: LocalPresence | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  let isJoined = false;
  const sendPresence = (): void => {
    cancel = undefined;
    if (!isJoined || own === undefined) return;
    sentAt = platform.now();
    const { cursor, viewport, selectedNodeIds } = own;
    send({
      type: 'presence',
      ...(cursor === undefined ? {} : { cursor }),
      ...(viewport === undefined ? {} : { viewport }),
      ...(selectedNodeIds === undefined ? {} : { selectedNodeIds: selectedNodeIds.slice(0, limits.selected) }),
    });
    cancel = platform.schedule(repeatMilliseconds, sendPresence);
  };
  const sendSoon = (): void => {
    const between = members.size === 0 ? aloneIntervalMilliseconds : sendIntervalMilliseconds;
    cancel?.();
    cancel = platform.schedule(Math.max(0, sentAt + between - platform.now()), sendPresence);
  };
  const expire = (): void => {
    const oldest = platform.now() - memberTtlMilliseconds;
    // A member that leaves sends 0. Otherwise expiry is by local receipt time, because clocks differ.
    const isGone = ({ connectionId, expiresAt }: Presence): boolean =>
      expiresAt <= 0 || (receivedAt.get(connectionId) ?? 0) < oldest;
    for (const member of [...members.values()].filter(isGone)) {
      members.delete(member.connectionId);
      receivedAt.delete(member.connectionId);
    }
  };
  return {
    update: (presence) => {
      own = { ...own, ...presence };
      if (isJoined) sendSoon();
    },
    receive: (received, moved = []) => {
      const others = members.size;
      for (const member of received) {
        if (member.connectionId === self()) continue;
        members.set(member.connectionId, member);
        receivedAt.set(member.connectionId, platform.now());
      }
      for (const [connectionId, x, y] of moved) {
        const member = members.get(connectionId);
        // The next full update will bring an unknown member.
        if (member === undefined) continue;
        members.set(connectionId, { ...member, cursor: { x, y } });
        receivedAt.set(connectionId, platform.now());
      }
      expire();
      changed(members);
      if (members.size > others && others === 0 && own !== undefined) sendSoon();
    },
    members: () => {
      expire();
      return members;
    },
    connect: () => {
      isJoined = true;
      if (own !== undefined) sendSoon();
    },
    disconnect: () => {
      isJoined = false;
      cancel?.();
      members.clear();
      changed(members);
    },
  };
};
