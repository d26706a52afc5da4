/** Presence of one room: collects updates within a tick and broadcasts the latest of each member. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../../domain/editor/limits';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { Presence } from '../../../../domain/editor/protocol/presence';
import { decodeStored } from '../../../../domain/kernel/codec';
import type { PresenceStore } from '../../../../infra/ports/editor/presence-store';
import { encodeMessage } from '../outbound/message-encoding';
import { createPresenceEncoder, type EncodedPresence, type PresenceEncoder } from './presence-delta';

export interface PresenceOptions {
  /** The document's name in the presence store. */
  readonly name: string;
  readonly store: PresenceStore;
  readonly now: () => number;
  readonly broadcast: (presence: EncodedPresence) => void;
}

export type PresenceUpdate = ClientMessage<'presence'>;

export interface MemberIdentity {
  readonly documentId: Presence['documentId'];
  readonly userId: string;
  readonly connectionId: string;
}

export interface RoomPresence {
  readonly update: (identity: MemberIdentity, whereabouts: PresenceUpdate) => void;
  readonly leave: (connectionId: string) => void;
  /** Undefined if there is no member. */
  readonly encodeAll: () => Buffer | undefined;
  readonly close: () => void;
}

const tickMilliseconds = 60;
const maxTickMilliseconds = 240;
/** Every member receives every other's updates, so above this many members the tick grows with their number. */
const fullRateMembers = 100;

export const tickMillisecondsFor = (members: number): number =>
  Math.min(maxTickMilliseconds, Math.max(tickMilliseconds, (tickMilliseconds * members) / fullRateMembers));

/** Clients send presence more often than this. */
const presenceTtlMilliseconds = 15_000;
/** The store is read only by the next owner, so it is written less often. */
const storeMilliseconds = 1_000;

interface PresenceState {
  readonly members: Map<string, Presence>;
  readonly changed: Set<string>;
  readonly unwritten: Set<string>;
  readonly encoder: PresenceEncoder;
  tick: NodeJS.Timeout | undefined;
  writing: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

const asExpired = (member: Presence): Presence => ({ ...member, expiresAt: 0 });

const removeMember = ({ members, encoder, unwritten }: PresenceState, id: string): void => {
  members.delete(id);
  unwritten.add(id);
  encoder.forget(id);
};

const broadcastChanged = (
  { broadcast, now }: PresenceOptions,
  state: PresenceState,
  left: ReadonlyMap<string, Presence>,
): void => {
  const changed = [...state.changed].flatMap((id) => state.members.get(id) ?? left.get(id) ?? []);
  state.changed.clear();
  if (changed.length > 0) broadcast(state.encoder.encode(changed));
  for (const id of left.keys()) if (!state.members.has(id)) state.encoder.forget(id);
  for (const [id, { expiresAt }] of state.members) if (expiresAt <= now()) removeMember(state, id);
};

/** A failed write is ignored: presence is short-lived. */
const writeToStore = async ({ store, name }: PresenceOptions, state: PresenceState): Promise<void> => {
  const ids = [...state.unwritten];
  state.unwritten.clear();
  const upserted = ids.flatMap((id) => {
    const member = state.members.get(id);
    return member === undefined ? [] : [[id, JSON.stringify(member)] as const];
  });
  const left = ids.filter((id) => !state.members.has(id));
  await store.write(name, { upserted, removed: left }, presenceTtlMilliseconds);
};

const parseMember = (value: string): Presence | undefined => {
  try {
    const member = decodeStored(Presence, JSON.parse(value));
    return isLeft(member) ? undefined : member.right;
  } catch {
    return undefined;
  }
};

/** Loads members of the previous owner. Members that reconnect replace their entry; the others expire soon. */
const loadFromStore = async (
  { store, name, now }: PresenceOptions,
  change: (member: Presence) => void,
): Promise<void> => {
  const values = await store.read(name);
  for (const value of isLeft(values) ? [] : values.right) {
    const member = parseMember(value);
    if (member !== undefined && member.expiresAt > now()) change(member);
  }
};

export const openRoomPresence = (options: PresenceOptions): RoomPresence => {
  const state: PresenceState = {
    members: new Map(),
    changed: new Set(),
    unwritten: new Set(),
    encoder: createPresenceEncoder(),
    tick: undefined,
    writing: undefined,
    isClosed: false,
  };
  const left = new Map<string, Presence>();
  const noted = (connectionId: string): void => {
    for (const ids of [state.changed, state.unwritten]) ids.add(connectionId);
    state.tick ??= setTimeout(() => {
      state.tick = undefined;
      broadcastChanged(options, state, left);
      left.clear();
    }, tickMillisecondsFor(state.members.size));
    state.writing ??= setTimeout(() => {
      state.writing = undefined;
      void writeToStore(options, state);
    }, storeMilliseconds);
  };
  void loadFromStore(options, (member) => {
    if (state.isClosed || state.members.has(member.connectionId)) return;
    state.members.set(member.connectionId, member);
    noted(member.connectionId);
  });
  return {
    update: (identity, { cursor, viewport, selectedNodeIds = [] }) => {
      const selected = selectedNodeIds.slice(0, limits.selected);
      const position = { ...(cursor && { cursor }), ...(viewport && { viewport }), selectedNodeIds: selected };
      state.members.set(identity.connectionId, {
        ...identity,
        ...position,
        expiresAt: options.now() + presenceTtlMilliseconds,
      });
      noted(identity.connectionId);
    },
    leave: (connectionId) => {
      const member = state.members.get(connectionId);
      if (member === undefined) return;
      state.members.delete(connectionId);
      left.set(connectionId, asExpired(member));
      noted(connectionId);
    },
    encodeAll: () =>
      state.members.size === 0 ? undefined : encodeMessage({ type: 'presence', members: [...state.members.values()] }),
    close: () => {
      state.isClosed = true;
      clearTimeout(state.tick);
      clearTimeout(state.writing);
      void writeToStore(options, state);
    },
  };
};
