/** The groups there are, as EventStoreDB keeps them: one event with all of them. */
import { startIn, startText, type Target } from './places';
import { type FilterText, isStrategy, type Settings } from './settings';

export interface Definition {
  /** `$all` for the log. */
  readonly stream: string;
  readonly group: string;
  readonly settings: Settings;
  readonly filter: FilterText | undefined;
  /** Where the end was when a group that starts there was made: what came later is its own, whatever restarts. */
  readonly startedAfter: number | undefined;
}

export const configurationStream = Buffer.from('$persistentSubscriptionConfig');
export const allStreamName = '$all';

export const targetOf = ({ stream }: Pick<Definition, 'stream'>): Target =>
  stream === allStreamName ? 'all' : 'stream';
export const keyOf = ({ stream, group }: Pick<Definition, 'stream' | 'group'>): string => `${stream}::${group}`;

const filterJson = (filter: FilterText | undefined) =>
  filter && {
    context: filter.on === 'stream' ? 'streamid' : 'eventtype',
    type: filter.regex === '' ? 'prefix' : 'regex',
    data: filter.regex === '' ? filter.prefixes.join(',') : filter.regex,
    isAllStream: true,
    // A prefix may have a comma in it.
    prefixes: filter.prefixes,
  };

const entryOf = (definition: Definition) => {
  const { stream, group, settings, filter, startedAfter } = definition;
  return {
    stream,
    group,
    filter: filterJson(filter) ?? null,
    resolveLinkTos: settings.resolveLinks,
    extraStatistics: settings.extraStatistics,
    messageTimeout: settings.messageTimeout,
    startPosition: startText(targetOf(definition), settings.startFrom),
    liveBufferSize: settings.liveBufferSize,
    historyBufferSize: settings.historyBufferSize,
    maxRetryCount: settings.maxRetryCount,
    readBatchSize: settings.readBatchSize,
    checkPointAfter: settings.checkpointAfter,
    minCheckPointCount: settings.minCheckpointCount,
    maxCheckPointCount: settings.maxCheckpointCount,
    maxSubscriberCount: settings.maxSubscriberCount,
    namedConsumerStrategy: settings.strategy,
    ...(startedAfter === undefined ? {} : { startedAfter }),
  };
};

export interface Change {
  readonly by: string;
  readonly at: number;
}

export const configurationOf = (definitions: readonly Definition[], { by, at }: Change) => ({
  version: '2',
  updated: new Date(at).toISOString(),
  updatedBy: by,
  entries: definitions.map(entryOf),
});

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;

const filterIn = (value: unknown): FilterText | undefined => {
  if (!isObject(value)) return undefined;
  const on = value.context === 'streamid' ? 'stream' : 'type';
  const data = text(value.data);
  if (value.type === 'regex') return { on, regex: data, prefixes: [] };
  const listed = Array.isArray(value.prefixes)
    ? value.prefixes.map(text)
    : data.split(',').filter((part) => part !== '');
  return { on, regex: '', prefixes: listed };
};

const settingsIn = (entry: Json, target: Target): Settings | undefined => {
  const strategy = text(entry.namedConsumerStrategy);
  const startFrom = startIn(target, entry.startPosition) ?? startIn(target, entry.startFrom);
  if (!isStrategy(strategy) || startFrom === undefined) return undefined;
  return {
    startFrom,
    strategy,
    resolveLinks: entry.resolveLinkTos === true,
    extraStatistics: entry.extraStatistics === true,
    messageTimeout: count(entry.messageTimeout, 30_000),
    maxRetryCount: count(entry.maxRetryCount, 10),
    minCheckpointCount: count(entry.minCheckPointCount, 10),
    maxCheckpointCount: count(entry.maxCheckPointCount, 1_000),
    checkpointAfter: count(entry.checkPointAfter, 2_000),
    maxSubscriberCount: count(entry.maxSubscriberCount, 0),
    liveBufferSize: count(entry.liveBufferSize, 500),
    historyBufferSize: count(entry.historyBufferSize, 500),
    readBatchSize: count(entry.readBatchSize, 20),
  };
};

/** Undefined for an entry that is not one, or of a strategy that is not known. */
const definitionIn = (entry: unknown): Definition | undefined => {
  if (!isObject(entry) || text(entry.stream) === '') return undefined;
  const [stream, group] = [text(entry.stream), text(entry.group)];
  const settings = settingsIn(entry, targetOf({ stream }));
  if (settings === undefined) return undefined;
  const startedAfter = typeof entry.startedAfter === 'number' ? entry.startedAfter : undefined;
  return { stream, group, settings, filter: filterIn(entry.filter), startedAfter };
};

export const definitionsIn = (configuration: unknown): readonly Definition[] => {
  const entries = isObject(configuration) && Array.isArray(configuration.entries) ? configuration.entries : [];
  return entries.flatMap((entry) => definitionIn(entry) ?? []);
};
