/** All groups: made, changed and removed one after the other, each change on disk before it is answered. */
import type { Matches } from '../storage/read';
import type { Refused } from '../storage/writer';
import { beginningOf } from './begin';
import { configurationStream, type Definition, definitionsIn, keyOf } from './configuration';
import { newestIn } from './newest';
import { type Running, run, type Surroundings } from './runner';
import { definitionOf, saveConfiguration } from './save-configuration';
import type { FilterText } from './settings';

export interface RegistryOptions extends Surroundings {
  readonly matcher: (filter: FilterText | undefined) => Matches;
  /** What ends the calls of a group that was changed or removed. */
  readonly dropped: (definition: Definition) => unknown;
}

export type Target = Pick<Definition, 'stream' | 'group'>;
export type Outcome = { readonly kind: 'done' | 'exists' | 'missing' } | Refused;

export interface Registry {
  readonly create: (definition: Definition, by: string) => Promise<Outcome>;
  /** Keeps the filter. */
  readonly update: (definition: Definition, by: string) => Promise<Outcome>;
  readonly remove: (target: Target, by: string) => Promise<Outcome>;
  /** Ends all calls and reads the configuration again. */
  readonly restart: () => Promise<void>;
  readonly find: (target: Target) => Promise<Running | undefined>;
  readonly list: () => Promise<readonly Running[]>;
}

interface Entry {
  readonly definition: Definition;
  running: Running | undefined;
}

/** One after the other. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

interface State {
  readonly options: RegistryOptions;
  entries: Map<string, Entry>;
}

const done: Outcome = { kind: 'done' };
const tombstoned: Refused = { kind: 'refused', reason: 'the stream of configurations is deleted' };

const loaded = ({ storage, report }: RegistryOptions): Map<string, Entry> => {
  try {
    const definitions = definitionsIn(newestIn(storage, configurationStream));
    return new Map(definitions.map((definition) => [keyOf(definition), { definition, running: undefined }]));
  } catch (error) {
    report(error);
    return new Map();
  }
};

const othersThan = ({ entries }: State, key: string): readonly Definition[] =>
  [...entries.values()].map(({ definition }) => definition).filter((definition) => keyOf(definition) !== key);

const runningOf = ({ options }: State, entry: Entry): Running => {
  if (entry.running === undefined || entry.running.isOver()) {
    const { definition } = entry;
    entry.running = run(options, beginningOf(options.storage, definition, options.matcher(definition.filter)));
  }
  return entry.running;
};

const stop = async ({ options }: State, { running, definition }: Entry, forget: boolean): Promise<void> => {
  running?.stop(options.dropped(definition), forget);
  await running?.idle();
};

const save = async (state: State, changed: Definition, by: string): Promise<Outcome> => {
  const key = keyOf(changed);
  const saved = await saveConfiguration(state.options.writer, { others: othersThan(state, key), changed, by });
  if (saved === false) return tombstoned;
  if ('kind' in saved) return saved;
  state.entries.set(key, { definition: definitionOf(saved, key) ?? changed, running: undefined });
  return done;
};

const update = async (state: State, definition: Definition, by: string): Promise<Outcome> => {
  const entry = state.entries.get(keyOf(definition));
  if (entry === undefined) return { kind: 'missing' };
  const { filter, startedAfter } = entry.definition;
  const outcome = await save(state, { ...definition, filter, startedAfter }, by);
  if (outcome.kind === 'done') await stop(state, entry, false);
  return outcome;
};

const remove = async (state: State, target: Target, by: string): Promise<Outcome> => {
  const key = keyOf(target);
  const entry = state.entries.get(key);
  if (entry === undefined) return { kind: 'missing' };
  // Before its notes are deleted, so that none is written after that.
  await stop(state, entry, true);
  const change = { others: othersThan(state, key), changed: undefined, removed: key, by };
  const saved = await saveConfiguration(state.options.writer, change);
  if (saved === false) return tombstoned;
  if ('kind' in saved) return saved;
  state.entries.delete(key);
  return done;
};

const restart = async (state: State): Promise<void> => {
  await Promise.all([...state.entries.values()].map((entry) => stop(state, entry, false)));
  state.entries = loaded(state.options);
};

export const createRegistry = (options: RegistryOptions): Registry => {
  const inTurn = createQueue();
  const state: State = { options, entries: loaded(options) };
  return {
    create: (definition, by) =>
      inTurn(() => (state.entries.has(keyOf(definition)) ? { kind: 'exists' } : save(state, definition, by))),
    update: (definition, by) => inTurn(() => update(state, definition, by)),
    remove: (target, by) => inTurn(() => remove(state, target, by)),
    restart: () => inTurn(() => restart(state)),
    find: (target) =>
      inTurn(() => {
        const entry = state.entries.get(keyOf(target));
        return entry && runningOf(state, entry);
      }),
    list: () => inTurn(() => [...state.entries.values()].map((entry) => runningOf(state, entry))),
  };
};
