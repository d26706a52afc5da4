/** All groups. Create, update and delete run one at a time, and each is on disk before it is answered. */
import type { Matches } from '../storage/read-pages';
import type { WriteRefused } from '../storage/writer';
import {
  configurationStream,
  decodeConfiguration,
  findDefinition,
  type GroupDefinition,
  groupKeyOf,
  saveConfiguration,
} from './group-configuration';
import { type GroupRunnerDeps, type RunningGroup, startGroup } from './group-runner';
import type { FilterText } from './settings';
import { readLatestEvent, resolveGroupStart } from './start-position';

export interface RegistryOptions extends GroupRunnerDeps {
  readonly createMatcher: (filter: FilterText | undefined) => Matches;
  /** The error that ends the calls of a group that was updated or deleted. */
  readonly droppedError: (definition: GroupDefinition) => unknown;
}

export type GroupTarget = Pick<GroupDefinition, 'stream' | 'group'>;
export type RegistryOutcome = { readonly kind: 'done' | 'exists' | 'missing' } | WriteRefused;

export interface GroupRegistry {
  readonly create: (definition: GroupDefinition, by: string) => Promise<RegistryOutcome>;
  /** Keeps the filter. */
  readonly update: (definition: GroupDefinition, by: string) => Promise<RegistryOutcome>;
  readonly remove: (target: GroupTarget, by: string) => Promise<RegistryOutcome>;
  /** Ends all calls and reads the configuration again. */
  readonly restart: () => Promise<void>;
  readonly find: (target: GroupTarget) => Promise<RunningGroup | undefined>;
  readonly list: () => Promise<readonly RunningGroup[]>;
}

interface RegistryEntry {
  readonly definition: GroupDefinition;
  running: RunningGroup | undefined;
}

/** Runs changes one at a time. */
const createSerialQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

interface State {
  readonly options: RegistryOptions;
  entries: Map<string, RegistryEntry>;
}

const done: RegistryOutcome = { kind: 'done' };
const configurationTombstoned: WriteRefused = { kind: 'refused', reason: 'the stream of configurations is deleted' };

const loadEntries = ({ storage, report }: RegistryOptions): Map<string, RegistryEntry> => {
  try {
    const definitions = decodeConfiguration(readLatestEvent(storage, configurationStream));
    return new Map(definitions.map((definition) => [groupKeyOf(definition), { definition, running: undefined }]));
  } catch (error) {
    report(error);
    return new Map();
  }
};

const definitionsExcept = ({ entries }: State, key: string): readonly GroupDefinition[] =>
  [...entries.values()].map(({ definition }) => definition).filter((definition) => groupKeyOf(definition) !== key);

const getOrStartGroup = ({ options }: State, entry: RegistryEntry): RunningGroup => {
  if (entry.running === undefined || entry.running.isOver()) {
    const { definition } = entry;
    entry.running = startGroup(
      options,
      resolveGroupStart(options.storage, definition, options.createMatcher(definition.filter)),
    );
  }
  return entry.running;
};

const stop = async ({ options }: State, { running, definition }: RegistryEntry, forget: boolean): Promise<void> => {
  running?.stop(options.droppedError(definition), forget);
  await running?.idle();
};

const save = async (state: State, changed: GroupDefinition, by: string): Promise<RegistryOutcome> => {
  const key = groupKeyOf(changed);
  const saved = await saveConfiguration(state.options.writer, { others: definitionsExcept(state, key), changed, by });
  if (saved === false) return configurationTombstoned;
  if ('kind' in saved) return saved;
  state.entries.set(key, { definition: findDefinition(saved, key) ?? changed, running: undefined });
  return done;
};

const update = async (state: State, definition: GroupDefinition, by: string): Promise<RegistryOutcome> => {
  const entry = state.entries.get(groupKeyOf(definition));
  if (entry === undefined) return { kind: 'missing' };
  const { filter, startedAfter } = entry.definition;
  const outcome = await save(state, { ...definition, filter, startedAfter }, by);
  if (outcome.kind === 'done') await stop(state, entry, false);
  return outcome;
};

const remove = async (state: State, target: GroupTarget, by: string): Promise<RegistryOutcome> => {
  const key = groupKeyOf(target);
  const entry = state.entries.get(key);
  if (entry === undefined) return { kind: 'missing' };
  // Close the group before its streams are deleted, so that it writes nothing to them afterwards.
  await stop(state, entry, true);
  const change = { others: definitionsExcept(state, key), changed: undefined, removed: key, by };
  const saved = await saveConfiguration(state.options.writer, change);
  if (saved === false) return configurationTombstoned;
  if ('kind' in saved) return saved;
  state.entries.delete(key);
  return done;
};

const restart = async (state: State): Promise<void> => {
  await Promise.all([...state.entries.values()].map((entry) => stop(state, entry, false)));
  state.entries = loadEntries(state.options);
};

export const createGroupRegistry = (options: RegistryOptions): GroupRegistry => {
  const enqueue = createSerialQueue();
  const state: State = { options, entries: loadEntries(options) };
  return {
    create: (definition, by) =>
      enqueue(() => (state.entries.has(groupKeyOf(definition)) ? { kind: 'exists' } : save(state, definition, by))),
    update: (definition, by) => enqueue(() => update(state, definition, by)),
    remove: (target, by) => enqueue(() => remove(state, target, by)),
    restart: () => enqueue(() => restart(state)),
    find: (target) =>
      enqueue(() => {
        const entry = state.entries.get(groupKeyOf(target));
        return entry && getOrStartGroup(state, entry);
      }),
    list: () => enqueue(() => [...state.entries.values()].map((entry) => getOrStartGroup(state, entry))),
  };
};
