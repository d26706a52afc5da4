/** What this person did here, to be undone and done again: bounded, and of nobody else's work. */
import type { NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Journal } from '../../../../domain/editor/scene/journal';
import type { SceneNode } from '../../../../domain/editor/scene/scene';
import type { Homes } from './before';

/** One operation, with what there was before it. */
export interface Did {
  readonly opId: OperationId;
  readonly committed: readonly Operation[];
  readonly journals: readonly Journal[];
  readonly homes: Homes;
}

/** A change of a text, which knows itself how to be taken back. */
export interface Typed {
  readonly opId: OperationId;
  readonly nodeId: NodeId;
  readonly typing: unknown;
}

export interface Entry {
  /** The step's. */
  readonly id: string;
  readonly did: (Did | Typed)[];
  bytes: number;
}

export type Direction = 'edit' | 'undo' | 'redo';

export interface History {
  readonly did: (stepId: string, one: Did | Typed) => void;
  /** What comes next may yet be forgotten: until it is settled, what could be redone stays. */
  readonly attempt: () => void;
  readonly settle: () => void;
  /** As if the step had never been. */
  readonly forget: (stepId: string) => void;
  /** They did not become part of the document: there is nothing to take back. */
  readonly disown: (opIds: ReadonlySet<string>) => void;
  /** Takes the last one; what is done in `work` is on the other side then. */
  readonly turn: (direction: 'undo' | 'redo', work: (entry: Entry) => void) => boolean;
  readonly count: (direction: 'undo' | 'redo') => number;
}

export const isTyped = (one: Did | Typed): one is Typed => 'typing' in one;

const most = { entries: 200, bytes: 32_000_000 };

const weightOf = (node: SceneNode | undefined): number => {
  if (node === undefined) return 0;
  let bytes = node.text?.base.length ?? 0;
  for (const value of Object.values(node.properties)) bytes += typeof value === 'string' ? value.length : 32;
  return bytes;
};

/** About what it holds on to. */
const bytesOf = (one: Did | Typed): number => {
  if (isTyped(one)) return 256;
  let bytes = 256;
  for (const journal of one.journals) for (const { before } of journal) bytes += 200 + weightOf(before);
  return bytes;
};

type Dropped = (one: Did | Typed) => void;

const shorten = (stack: Entry[], dropped: Dropped): void => {
  let bytes = stack.reduce((sum, each) => sum + each.bytes, 0);
  while (stack.length > 1 && (stack.length > most.entries || bytes > most.bytes)) {
    const oldest = stack.shift();
    bytes -= oldest?.bytes ?? 0;
    oldest?.did.forEach(dropped);
  }
};

const put = (stack: Entry[], stepId: string, one: Did | Typed): void => {
  const top = stack.at(-1);
  const entry = top?.id === stepId ? top : { id: stepId, did: [], bytes: 0 };
  if (entry !== top) stack.push(entry);
  const last = entry.did.at(-1);
  // Merged with the one before: its journal begins where that one's did.
  if (last?.opId === one.opId) {
    entry.did.pop();
    entry.bytes -= bytesOf(last);
  }
  entry.did.push(one);
  entry.bytes += bytesOf(one);
};

const empty = (stack: Entry[], dropped: Dropped): void => {
  for (const { did } of stack.splice(0)) did.forEach(dropped);
};

const disown = (stack: Entry[], opIds: ReadonlySet<string>): void => {
  for (const { did } of stack)
    for (const one of did.filter(({ opId }) => opIds.has(opId))) did.splice(did.indexOf(one), 1);
  const left = stack.filter(({ did }) => did.length > 0);
  stack.splice(0, stack.length, ...left);
};

/** `dropped` is told what can be taken back no more. */
export const openHistory = (dropped: Dropped): History => {
  const stacks: { readonly undo: Entry[]; readonly redo: Entry[] } = { undo: [], redo: [] };
  let direction: Direction = 'edit';
  let isAttempt = false;
  return {
    did: (stepId, one) => {
      if (direction === 'edit' && !isAttempt) empty(stacks.redo, dropped);
      const stack = direction === 'undo' ? stacks.redo : stacks.undo;
      put(stack, stepId, one);
      shorten(stack, dropped);
    },
    attempt: () => {
      isAttempt = true;
    },
    settle: () => {
      isAttempt = false;
      empty(stacks.redo, dropped);
    },
    forget: (stepId) => {
      isAttempt = false;
      const { undo } = stacks;
      if (undo.at(-1)?.id === stepId) undo.pop()?.did.forEach(dropped);
    },
    disown: (opIds) => {
      disown(stacks.undo, opIds);
      disown(stacks.redo, opIds);
    },
    turn: (way, work) => {
      const entry = stacks[way].pop();
      if (entry === undefined) return false;
      direction = way;
      try {
        work(entry);
      } finally {
        direction = 'edit';
      }
      return true;
    },
    count: (way) => stacks[way].length,
  };
};
