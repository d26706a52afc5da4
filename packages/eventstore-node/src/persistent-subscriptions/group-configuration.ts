/** The configuration of all groups, stored as EventStoreDB stores it: one event that lists all of them. */

import type { Transaction, WriteRefused, Writer } from '../storage/writer';
import { type FilterText, formatStart, type GroupSettings, isStrategy, parseStart, type SourceKind } from './settings';
import { deleteSystemStreams, writeLatestEvent } from './system-streams';

export interface GroupDefinition {
  /** `$all` for the log. */
  readonly stream: string;
  readonly group: string;
  readonly settings: GroupSettings;
  readonly filter: FilterText | undefined;
  /**
   * Where the end was when a group that starts at the end was created: later events belong to it, also after restarts.
   */
  readonly startedAfter: number | undefined;
}

export const configurationStream = Buffer.from('$persistentSubscriptionConfig');
export const allStreamName = '$all';

export const sourceKindOf = ({ stream }: Pick<GroupDefinition, 'stream'>): SourceKind =>
  stream === allStreamName ? 'all' : 'stream';
export const groupKeyOf = ({ stream, group }: Pick<GroupDefinition, 'stream' | 'group'>): string =>
  `${stream}::${group}`;

const encodeFilter = (filter: FilterText | undefined) =>
  filter && {
    context: filter.on === 'stream' ? 'streamid' : 'eventtype',
    type: filter.regex === '' ? 'prefix' : 'regex',
    data: filter.regex === '' ? filter.prefixes.join(',') : filter.regex,
    isAllStream: true,
    // A prefix may contain a comma.
    prefixes: filter.prefixes,
  };

const encodeDefinition = (definition: GroupDefinition) => {
  const { stream, group, settings, filter, startedAfter } = definition;
  return {
    stream,
    group,
    filter: encodeFilter(filter) ?? null,
    resolveLinkTos: settings.resolveLinks,
    extraStatistics: settings.extraStatistics,
    messageTimeout: settings.messageTimeout,
    startPosition: formatStart(sourceKindOf(definition), settings.startFrom),
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

export const encodeConfiguration = (definitions: readonly GroupDefinition[], { by, at }: Change) => ({
  version: '2',
  updated: new Date(at).toISOString(),
  updatedBy: by,
  entries: definitions.map(encodeDefinition),
});

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
const countOrDefault = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;

const decodeFilter = (value: unknown): FilterText | undefined => {
  if (!isObject(value)) return undefined;
  const on = value.context === 'streamid' ? 'stream' : 'type';
  const data = textOrEmpty(value.data);
  if (value.type === 'regex') return { on, regex: data, prefixes: [] };
  const listed = Array.isArray(value.prefixes)
    ? value.prefixes.map(textOrEmpty)
    : data.split(',').filter((part) => part !== '');
  return { on, regex: '', prefixes: listed };
};

const decodeSettings = (entry: Json, target: SourceKind): GroupSettings | undefined => {
  const strategy = textOrEmpty(entry.namedConsumerStrategy);
  const startFrom = parseStart(target, entry.startPosition) ?? parseStart(target, entry.startFrom);
  if (!isStrategy(strategy) || startFrom === undefined) return undefined;
  return {
    startFrom,
    strategy,
    resolveLinks: entry.resolveLinkTos === true,
    extraStatistics: entry.extraStatistics === true,
    messageTimeout: countOrDefault(entry.messageTimeout, 30_000),
    maxRetryCount: countOrDefault(entry.maxRetryCount, 10),
    minCheckpointCount: countOrDefault(entry.minCheckPointCount, 10),
    maxCheckpointCount: countOrDefault(entry.maxCheckPointCount, 1_000),
    checkpointAfter: countOrDefault(entry.checkPointAfter, 2_000),
    maxSubscriberCount: countOrDefault(entry.maxSubscriberCount, 0),
    liveBufferSize: countOrDefault(entry.liveBufferSize, 500),
    historyBufferSize: countOrDefault(entry.historyBufferSize, 500),
    readBatchSize: countOrDefault(entry.readBatchSize, 20),
  };
};

/** Undefined for an invalid entry, or one with an unknown strategy. */
const decodeDefinition = (entry: unknown): GroupDefinition | undefined => {
  if (!isObject(entry) || textOrEmpty(entry.stream) === '') return undefined;
  const [stream, group] = [textOrEmpty(entry.stream), textOrEmpty(entry.group)];
  const settings = decodeSettings(entry, sourceKindOf({ stream }));
  if (settings === undefined) return undefined;
  const startedAfter = typeof entry.startedAfter === 'number' ? entry.startedAfter : undefined;
  return { stream, group, settings, filter: decodeFilter(entry.filter), startedAfter };
};

export const decodeConfiguration = (configuration: unknown): readonly GroupDefinition[] => {
  const entries = isObject(configuration) && Array.isArray(configuration.entries) ? configuration.entries : [];
  return entries.flatMap((entry) => decodeDefinition(entry) ?? []);
};

/** Writes the configuration with one group added, changed or removed. */
export interface ConfigurationChange {
  readonly others: readonly GroupDefinition[];
  /** Undefined: removed. */
  readonly changed: GroupDefinition | undefined;
  /** The key of the group whose checkpoints and parked messages are deleted with it. */
  readonly removed?: string;
  readonly by: string;
}

/** The end at the moment when the configuration is written; later events come after it. */
const currentEnd = ({ heads }: Transaction, definition: GroupDefinition, position: number): number =>
  sourceKindOf(definition) === 'all' ? position : (heads.get(Buffer.from(definition.stream))?.last ?? -1);

const withStartedAfter = (transaction: Transaction, definition: GroupDefinition, position: number): GroupDefinition => {
  if (definition.settings.startFrom !== 'end') return { ...definition, startedAfter: undefined };
  return { ...definition, startedAfter: definition.startedAfter ?? currentEnd(transaction, definition, position) };
};

/** The definition as written; false when the stream is tombstoned. */
export const saveConfiguration = (
  writer: Writer,
  { others, changed, removed, by }: ConfigurationChange,
): Promise<readonly GroupDefinition[] | false | WriteRefused> =>
  writer.write((transaction) => {
    let definitions = others;
    const value = (position: number) => {
      definitions = changed === undefined ? others : [...others, withStartedAfter(transaction, changed, position)];
      return encodeConfiguration(definitions, { by, at: transaction.now });
    };
    const written = writeLatestEvent({ stream: configurationStream, type: '$PersistentConfig', value })(transaction);
    if (written && removed !== undefined) deleteSystemStreams(transaction, removed);
    return written && definitions;
  });

export const findDefinition = (definitions: readonly GroupDefinition[], key: string): GroupDefinition | undefined =>
  definitions.find((definition) => groupKeyOf(definition) === key);
