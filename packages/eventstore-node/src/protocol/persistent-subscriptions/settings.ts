/** Decodes the settings of Create and Update, in current fields and in those of clients before 21.10. */
import { CreateReq, type UpdateReq } from '@eventstore/db-client/generated/persistent_pb';
import { allStreamName, type GroupDefinition } from '../../persistent-subscriptions/group-configuration';
import type { GroupTarget } from '../../persistent-subscriptions/group-registry';
import {
  type FilterText,
  type GroupSettings,
  isStrategy,
  type StartFrom,
  type Strategy,
  settingsProblem,
} from '../../persistent-subscriptions/settings';
import { handlerFailed, invalidArgument } from '../errors';
import { groupFailed } from './errors';

type Options = CreateReq.Options | UpdateReq.Options;
type SentSettings = CreateReq.Settings | UpdateReq.Settings;

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

const maximum = BigInt(Number.MAX_SAFE_INTEGER);
/** Before 21.10, the largest revision meant the end. */
const decodeStart = (digits: string): StartFrom => {
  const position = BigInt(digits);
  if (position === 0n) return 'start';
  return position > maximum ? 'end' : Number(position);
};

const streamStart = (options: CreateReq.StreamOptions | UpdateReq.StreamOptions): StartFrom => {
  if (options.hasStart()) return 'start';
  if (options.hasEnd()) return 'end';
  if (options.hasRevision()) return decodeStart(options.getRevision());
  throw invalidArgument("'None' is not a valid RevisionOptionOneofCase");
};

const allStart = (options: CreateReq.AllOptions | UpdateReq.AllOptions): StartFrom => {
  if (options.hasStart()) return 'start';
  if (options.hasEnd()) return 'end';
  const position = options.getPosition();
  if (position === undefined) throw invalidArgument("'None' is not a valid AllOptionOneofCase");
  return decodeStart(position.getCommitPosition());
};

const namedStrategies: readonly Strategy[] = ['DispatchToSingle', 'RoundRobin', 'Pinned'];

const ticksPerMillisecond = 10_000n;
const milliseconds = (inTicks: boolean, ticks: string, value: number): number =>
  inTicks ? Number(BigInt(ticks) / ticksPerMillisecond) : value;

const strategyName = (settings: SentSettings): string => {
  const name = settings instanceof CreateReq.Settings ? settings.getConsumerStrategy() : '';
  return name === '' ? (namedStrategies[settings.getNamedConsumerStrategy()] ?? '') : name;
};

const decodeSettings = (settings: SentSettings, startFrom: StartFrom, target: GroupTarget): GroupSettings => {
  const strategy = strategyName(settings);
  if (!isStrategy(strategy)) throw groupFailed(target, `Consumer strategy ${strategy} does not exist.`);
  const decoded: GroupSettings = {
    startFrom,
    strategy,
    resolveLinks: settings.getResolveLinks(),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeout: milliseconds(
      settings.hasMessageTimeoutTicks(),
      settings.getMessageTimeoutTicks(),
      settings.getMessageTimeoutMs(),
    ),
    checkpointAfter: milliseconds(
      settings.hasCheckpointAfterTicks(),
      settings.getCheckpointAfterTicks(),
      settings.getCheckpointAfterMs(),
    ),
    maxRetryCount: settings.getMaxRetryCount(),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    historyBufferSize: settings.getHistoryBufferSize(),
    readBatchSize: settings.getReadBatchSize(),
  };
  const problem = settingsProblem(decoded);
  if (problem !== undefined) throw groupFailed(target, problem);
  return decoded;
};

const decodeFilter = (options: CreateReq.AllOptions | UpdateReq.AllOptions): FilterText | undefined => {
  const filter = 'getFilter' in options ? options.getFilter() : undefined;
  if (filter === undefined) return undefined;
  const byStream = filter.getStreamIdentifier();
  const expression = byStream ?? filter.getEventType();
  if (expression === undefined) throw invalidArgument("'None' is not a valid FilterOneofCase");
  return {
    on: byStream === undefined ? 'type' : 'stream',
    regex: expression.getRegex(),
    prefixes: expression.getPrefixList(),
  };
};

const checkPosition = (options: CreateReq.AllOptions | UpdateReq.AllOptions, target: GroupTarget): void => {
  const position = options.getPosition();
  if (position === undefined || BigInt(position.getPreparePosition()) <= BigInt(position.getCommitPosition())) return;
  const reason = 'Invalid Start From position: prepare position must be less than or equal to the commit position.';
  throw groupFailed(target, reason);
};

const streamTarget = (options: Options): GroupTarget => {
  const stream = options.getStream()?.getStreamIdentifier() ?? options.getStreamIdentifier();
  const target = { stream: textOf(stream?.getStreamName_asU8()), group: options.getGroupName() };
  if (target.stream === '') throw groupFailed(target, 'Bad stream name.');
  if (target.stream === allStreamName)
    throw groupFailed(target, 'Persistent subscriptions to $all are only supported over gRPC through gRPC clients');
  return target;
};

/** Settings of a request to create or update a group; throws the call's status. */
export const decodeDefinition = (options: Options | undefined): GroupDefinition => {
  const settings = options?.getSettings();
  if (options === undefined || settings === undefined) throw handlerFailed();
  const all = options.getAll();
  if (all === undefined) {
    const target = streamTarget(options);
    const sent = options.getStream();
    const startFrom = sent === undefined ? decodeStart(settings.getRevision()) : streamStart(sent);
    return {
      ...target,
      settings: decodeSettings(settings, startFrom, target),
      filter: undefined,
      startedAfter: undefined,
    };
  }
  const target = { stream: allStreamName, group: options.getGroupName() };
  checkPosition(all, target);
  const decoded = decodeSettings(settings, allStart(all), target);
  return { ...target, settings: decoded, filter: decodeFilter(all), startedAfter: undefined };
};
