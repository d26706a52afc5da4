/** In-memory twin of the three view stores, for tests and for runs without servers. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { ApplyFault, Batch, Generation, View, ViewReader, ViewWriter } from '../../ports/views/view-store';
import { abandonedMilliseconds } from './abandoned-after';
import { digestRows } from './digest';
import { erasedKeysOf, eraseRow } from './erase-rows';
import { type MemoryGeneration, type MemoryView, memoryReader } from './memory-view-reader';
import {
  type Fields,
  mergeRowChanges,
  patchedErasure,
  type RowChange,
  type Segment,
  segmentsOf,
} from './merge-row-changes';
import { checkpointMoved, rebuildInProgress, writesPaused } from './view-faults';

export interface MemoryOptions {
  readonly now?: () => number;
  /** True while the store is to be unreachable. */
  readonly isAway?: () => boolean;
}

interface Memory {
  readonly views: Map<string, MemoryView>;
  readonly now: () => number;
  newest: number;
}

const generationOf = ({ number, version, position }: MemoryGeneration): Generation => ({ number, version, position });

const add = (memory: Memory, { version }: View, recipe?: string): MemoryGeneration => {
  memory.newest += 1;
  const fresh = { rows: new Map(), whenErased: new Map(), position: null, retired: undefined, touched: memory.now() };
  return { number: memory.newest, version, recipe, ...fresh };
};

const opened = (memory: Memory, view: View): MemoryView => {
  const known = memory.views.get(view.name);
  if (known !== undefined) return known;
  const first = add(memory, view);
  const made = { generations: new Map([[first.number, first]]), active: first.number, building: false, pausedUntil: 0 };
  memory.views.set(view.name, made);
  return made;
};

const activeOf = ({ generations, active }: MemoryView): MemoryGeneration => generations.get(active) as MemoryGeneration;

type Rows = Pick<MemoryGeneration, 'rows' | 'whenErased'>;

const change = ({ rows, whenErased }: Rows, key: string, changed: RowChange): void => {
  const { kind, fields, keep = [] } = changed;
  const before = rows.get(key);
  const preserved = Object.fromEntries(before === undefined ? [] : keep.map((field) => [field, before[field]]));
  const erasure = kind === 'patch' ? patchedErasure(whenErased.get(key), changed) : changed.whenErased;
  if (kind === 'remove') rows.delete(key);
  else if (kind === 'put' || kind === 'merge') rows.set(key, { ...structuredClone(fields), ...preserved });
  else if (before !== undefined) rows.set(key, { ...before, ...structuredClone(fields) });
  if (erasure === undefined || !rows.has(key)) whenErased.delete(key);
  else whenErased.set(key, structuredClone(erasure));
};

const applySegment = (view: View, generation: Rows, { changes, everyRow }: Segment): void => {
  for (const [key, row] of mergeRowChanges(view, changes)) change(generation, key, row);
  if (everyRow === undefined) return;
  const wanted = Object.entries(everyRow.where);
  const { rows } = generation;
  for (const [key, row] of rows)
    if (wanted.every(([field, value]) => row[field] === value))
      change(generation, key, { kind: 'patch', fields: everyRow.fields as Fields, position: 0n });
};

const eraseKeys = ({ rows, whenErased }: Rows, { changes }: Batch): void => {
  for (const [tenantId, keys] of erasedKeysOf(changes))
    for (const [key, before] of whenErased) {
      const row = rows.get(key);
      if (row?.tenantId !== tenantId) continue;
      const erased = eraseRow(before, keys);
      if (erased.kind === 'remove') rows.delete(key);
      else rows.set(key, { ...row, ...erased.fields });
      if (erased.kind === 'remove' || Object.keys(erased.whenErased).length === 0) whenErased.delete(key);
      else whenErased.set(key, erased.whenErased);
    }
};

const apply = (memory: Memory, view: View, batch: Batch): ReturnType<typeof right<ApplyFault, void>> => {
  const state = opened(memory, view);
  const generation = state.generations.get(batch.generation);
  if (generation === undefined || generation.retired !== undefined || generation.position !== batch.after)
    return checkpointMoved();
  if (batch.generation === state.active && memory.now() < state.pausedUntil) return writesPaused();
  for (const segment of segmentsOf(batch.changes)) applySegment(view, generation, segment);
  eraseKeys(generation, batch);
  generation.position = batch.position;
  generation.touched = memory.now();
  return right(undefined);
};

const unfinished = ({ generations, active }: MemoryView): readonly MemoryGeneration[] =>
  [...generations.values()].filter(({ number, retired }) => number !== active && retired === undefined);

const begin = (memory: Memory, view: View, recipe: string | undefined) => {
  const state = opened(memory, view);
  if (state.building) return rebuildInProgress();
  state.building = true;
  const before = unfinished(state);
  const generation = before.find((one) => recipe !== undefined && one.recipe === recipe) ?? add(memory, view, recipe);
  for (const other of before) state.generations.delete(other.number);
  state.generations.set(generation.number, generation);
  return right(generationOf(generation));
};

const leave = (memory: Memory, view: View) => {
  opened(memory, view).building = false;
  return right(undefined);
};

const pause = (memory: Memory, view: View, milliseconds: number) => {
  const state = opened(memory, view);
  state.pausedUntil = memory.now() + milliseconds;
  return right(generationOf(activeOf(state)));
};

const activate = (memory: Memory, view: View, number: number) => {
  const state = opened(memory, view);
  if (!state.generations.has(number)) return left(fault('view-store-unavailable', 'There is no such generation.'));
  for (const other of state.generations.values()) if (other.number !== number) other.retired ??= memory.now();
  state.active = number;
  state.building = false;
  state.pausedUntil = 0;
  return right(undefined);
};

const verify = (memory: Memory, view: View, number: number) => {
  const generation = opened(memory, view).generations.get(number);
  return generation === undefined || generation.retired !== undefined ? checkpointMoved() : right(undefined);
};

const drop = (memory: Memory, view: View, number: number) => {
  const state = opened(memory, view);
  state.building = false;
  if (number !== state.active) state.generations.delete(number);
  return right(undefined);
};

const sweep = (
  memory: Memory,
  view: View,
  { milliseconds, abandoned }: { readonly milliseconds: number; readonly abandoned: number },
) => {
  const state = opened(memory, view);
  const { generations } = state;
  const isOver = ({ retired }: MemoryGeneration) => retired !== undefined && memory.now() - retired >= milliseconds;
  const isLeft = ({ touched }: MemoryGeneration) => !state.building && memory.now() - touched >= abandoned;
  const over = [...[...generations.values()].filter(isOver), ...unfinished(state).filter(isLeft)];
  const swept = over.map(({ number }) => number);
  for (const number of swept) generations.delete(number);
  return right(swept);
};

export interface MemoryViews {
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
}

export const openMemoryViews = ({ now = Date.now, isAway = () => false }: MemoryOptions = {}): MemoryViews => {
  const memory: Memory = { views: new Map(), now, newest: 0 };
  const gone = left(fault('view-store-unavailable', 'The store is unavailable.'));
  const writer: ViewWriter = {
    open: async (view) => (isAway() ? gone : right(generationOf(activeOf(opened(memory, view))))),
    apply: async (view, batch) => (isAway() ? gone : apply(memory, view, batch)),
    verify: async (view, number) => (isAway() ? gone : verify(memory, view, number)),
    beginRebuild: async (view, recipe) => (isAway() ? gone : begin(memory, view, recipe)),
    releaseRebuild: async (view) => (isAway() ? gone : leave(memory, view)),
    pauseWrites: async (view, milliseconds) => (isAway() ? gone : pause(memory, view, milliseconds)),
    digest: async (view, number) =>
      isAway() ? gone : right(await digestRows(opened(memory, view).generations.get(number)?.rows.values() ?? [])),
    activate: async (view, number) => (isAway() ? gone : activate(memory, view, number)),
    drop: async (view, number) => (isAway() ? gone : drop(memory, view, number)),
    sweep: async (view, milliseconds, abandoned = abandonedMilliseconds) =>
      isAway() ? gone : sweep(memory, view, { milliseconds, abandoned }),
    close: async () => undefined,
  };
  return { writer, reader: memoryReader(memory.views, isAway) };
};
