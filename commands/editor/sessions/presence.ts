/** Who is in a document and where: what is said within a tick is told once, the latest word of each, to all who are there. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../domain/editor/limits';
import type { FromClient } from '../../../domain/editor/messages/from-client';
import { Presence } from '../../../domain/editor/messages/presence';
import { decode } from '../../../domain/kernel/codec';
import type { PresenceBoard } from '../../../infra/ports/presence-board';
import { type Glimpse, openTelling, type Telling } from './moving';
import { said } from './words';

export interface PresenceOptions {
  /** The document's name on the board. */
  readonly name: string;
  readonly board: PresenceBoard;
  readonly now: () => number;
  readonly tell: (glimpse: Glimpse) => void;
}

export type Whereabouts = FromClient<'presence'>;

export interface Who {
  readonly documentId: Presence['documentId'];
  readonly userId: string;
  readonly connectionId: string;
}

export interface Members {
  readonly hear: (who: Who, whereabouts: Whereabouts) => void;
  readonly leave: (connectionId: string) => void;
  /** Undefined: nobody is. */
  readonly everybody: () => Buffer | undefined;
  readonly close: () => void;
}

const tickMilliseconds = 60;
const longestTickMilliseconds = 240;
/** Everybody is told of everybody: with more of them than this, each is told less often, that it does not grow with the square. */
const crowd = 100;

export const tickFor = (members: number): number =>
  Math.min(longestTickMilliseconds, Math.max(tickMilliseconds, (tickMilliseconds * members) / crowd));

/** Who is still there says so more often than that. */
const keptMilliseconds = 15_000;
/** The board is for those who come after this process: it need not know at once. */
const boardMilliseconds = 1_000;

interface State {
  readonly members: Map<string, Presence>;
  readonly changed: Set<string>;
  readonly unwritten: Set<string>;
  readonly telling: Telling;
  tick: NodeJS.Timeout | undefined;
  writing: NodeJS.Timeout | undefined;
  isClosed: boolean;
}

const gone = (member: Presence): Presence => ({ ...member, expiresAt: 0 });

const forget = ({ members, telling, unwritten }: State, id: string): void => {
  members.delete(id);
  unwritten.add(id);
  telling.forget(id);
};

const tellChanged = ({ tell, now }: PresenceOptions, state: State, left: ReadonlyMap<string, Presence>): void => {
  const changed = [...state.changed].flatMap((id) => state.members.get(id) ?? left.get(id) ?? []);
  state.changed.clear();
  if (changed.length > 0) tell(state.telling.of(changed));
  for (const id of left.keys()) if (!state.members.has(id)) state.telling.forget(id);
  for (const [id, { expiresAt }] of state.members) if (expiresAt <= now()) forget(state, id);
};

/** What cannot be written is lost, as all of this may be. */
const write = async ({ board, name }: PresenceOptions, state: State): Promise<void> => {
  const ids = [...state.unwritten];
  state.unwritten.clear();
  const there = ids.flatMap((id) => {
    const member = state.members.get(id);
    return member === undefined ? [] : [[id, JSON.stringify(member)] as const];
  });
  const left = ids.filter((id) => !state.members.has(id));
  await board.write(name, { there, left }, keptMilliseconds);
};

const memberIn = (value: string): Presence | undefined => {
  try {
    const member = decode(Presence, JSON.parse(value));
    return isLeft(member) ? undefined : member.right;
  } catch {
    return undefined;
  }
};

/** Those that the process before had: who comes back replaces them, the others are over soon. */
const recall = async ({ board, name, now }: PresenceOptions, change: (member: Presence) => void): Promise<void> => {
  const values = await board.read(name);
  for (const value of isLeft(values) ? [] : values.right) {
    const member = memberIn(value);
    if (member !== undefined && member.expiresAt > now()) change(member);
  }
};

export const openMembers = (options: PresenceOptions): Members => {
  const state: State = {
    ...{ members: new Map(), changed: new Set(), unwritten: new Set(), telling: openTelling() },
    ...{ tick: undefined, writing: undefined, isClosed: false },
  };
  const left = new Map<string, Presence>();
  const noted = (connectionId: string): void => {
    for (const ids of [state.changed, state.unwritten]) ids.add(connectionId);
    state.tick ??= setTimeout(() => {
      state.tick = undefined;
      tellChanged(options, state, left);
      left.clear();
    }, tickFor(state.members.size));
    state.writing ??= setTimeout(() => {
      state.writing = undefined;
      void write(options, state);
    }, boardMilliseconds);
  };
  void recall(options, (member) => {
    if (state.isClosed || state.members.has(member.connectionId)) return;
    state.members.set(member.connectionId, member);
    noted(member.connectionId);
  });
  return {
    hear: (who, { cursor, viewport, selectedNodeIds = [] }) => {
      const selected = selectedNodeIds.slice(0, limits.selected);
      const where = { ...(cursor && { cursor }), ...(viewport && { viewport }), selectedNodeIds: selected };
      state.members.set(who.connectionId, { ...who, ...where, expiresAt: options.now() + keptMilliseconds });
      noted(who.connectionId);
    },
    leave: (connectionId) => {
      const member = state.members.get(connectionId);
      if (member === undefined) return;
      state.members.delete(connectionId);
      left.set(connectionId, gone(member));
      noted(connectionId);
    },
    everybody: () =>
      state.members.size === 0 ? undefined : said({ type: 'presence', members: [...state.members.values()] }),
    close: () => {
      state.isClosed = true;
      clearTimeout(state.tick);
      clearTimeout(state.writing);
      void write(options, state);
    },
  };
};
