/** Who is in a document and where: what is said within a tick is told once, the latest word of each, to all who are there. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../domain/editor/limits';
import type { ClientMessage } from '../../../domain/editor/protocol/client-messages';
import { Presence } from '../../../domain/editor/protocol/presence';
import { decode } from '../../../domain/kernel/codec';
import type { PresenceStore } from '../../../infra/ports/presence-store';
import { encodeMessage } from './message-encoding';
import { createPresenceEncoder, type EncodedPresence, type PresenceEncoder } from './presence-delta';

export interface PresenceOptions {
  /** The document's name on the board. */
  readonly name: string;
  readonly store: PresenceStore;
  readonly now: () => number;
  readonly broadcast: (glimpse: EncodedPresence) => void;
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
  /** Undefined: nobody is. */
  readonly encodeAll: () => Buffer | undefined;
  readonly close: () => void;
}

const tickMilliseconds = 60;
const maxTickMilliseconds = 240;
/** Everybody is told of everybody: with more of them than this, each is told less often, that it does not grow with the square. */
const fullRateMembers = 100;

export const tickMillisecondsFor = (members: number): number =>
  Math.min(maxTickMilliseconds, Math.max(tickMilliseconds, (tickMilliseconds * members) / fullRateMembers));

/** Who is still there says so more often than that. */
const presenceTtlMilliseconds = 15_000;
/** The board is for those who come after this process: it need not know at once. */
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

/** What cannot be written is lost, as all of this may be. */
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
    const member = decode(Presence, JSON.parse(value));
    return isLeft(member) ? undefined : member.right;
  } catch {
    return undefined;
  }
};

/** Those that the process before had: who comes back replaces them, the others are over soon. */
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
    ...{ members: new Map(), changed: new Set(), unwritten: new Set(), encoder: createPresenceEncoder() },
    ...{ tick: undefined, writing: undefined, isClosed: false },
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
