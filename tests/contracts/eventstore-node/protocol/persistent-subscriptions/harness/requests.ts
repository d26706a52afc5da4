/** Requests of the persistent subscriptions' protocol, field by field. */
import {
  CreateReq,
  DeleteReq,
  GetInfoReq,
  ListReq,
  ReadReq,
  ReplayParkedReq,
  UpdateReq,
} from '@eventstore/db-client/generated/persistent_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { identifierOf, textId } from '../../harness/stream-requests';

/** Without a stream: `$all`. */
export interface GroupName {
  readonly stream?: string;
  readonly group: string;
}

export interface GroupSettings {
  readonly from?: 'start' | 'end' | bigint;
  readonly resolveLinks?: boolean;
  readonly extraStatistics?: boolean;
  readonly messageTimeout?: number;
  readonly maxRetryCount?: number;
  readonly minCheckpointCount?: number;
  readonly maxCheckpointCount?: number;
  readonly checkpointAfter?: number;
  readonly maxSubscriberCount?: number;
  readonly liveBufferSize?: number;
  readonly historyBufferSize?: number;
  readonly readBatchSize?: number;
  readonly strategy?: string;
  /** Of `$all`, by prefix of the stream or the type. */
  readonly filter?: { readonly on: 'stream' | 'type'; readonly prefixes?: readonly string[]; readonly regex?: string };
}

type Settings = CreateReq.Settings | UpdateReq.Settings;

const fill = <Sent extends Settings>(settings: Sent, wanted: GroupSettings): Sent => {
  settings.setResolveLinks(wanted.resolveLinks ?? false);
  settings.setExtraStatistics(wanted.extraStatistics ?? false);
  settings.setMessageTimeoutMs(wanted.messageTimeout ?? 30_000);
  settings.setCheckpointAfterMs(wanted.checkpointAfter ?? 1_000);
  settings.setMaxRetryCount(wanted.maxRetryCount ?? 10);
  settings.setMinCheckpointCount(wanted.minCheckpointCount ?? 1);
  settings.setMaxCheckpointCount(wanted.maxCheckpointCount ?? 1_000);
  settings.setMaxSubscriberCount(wanted.maxSubscriberCount ?? 0);
  settings.setLiveBufferSize(wanted.liveBufferSize ?? 500);
  settings.setHistoryBufferSize(wanted.historyBufferSize ?? 500);
  settings.setReadBatchSize(wanted.readBatchSize ?? 20);
  settings.setNamedConsumerStrategy(CreateReq.ConsumerStrategy.ROUNDROBIN);
  return settings;
};

const filterOf = ({ on, prefixes = [], regex = '' }: NonNullable<GroupSettings['filter']>) => {
  const expression = new CreateReq.AllOptions.FilterOptions.Expression();
  expression.setPrefixList([...prefixes]).setRegex(regex);
  const filter = new CreateReq.AllOptions.FilterOptions().setMax(32).setCheckpointintervalmultiplier(1);
  return on === 'stream' ? filter.setStreamIdentifier(expression) : filter.setEventType(expression);
};

const toAll = <Options extends CreateReq.AllOptions | UpdateReq.AllOptions>(
  all: Options,
  position: CreateReq.Position | UpdateReq.Position,
  from: GroupSettings['from'] = 'start',
): Options => {
  if (from === 'start') all.setStart(new Empty());
  else if (from === 'end') all.setEnd(new Empty());
  else all.setPosition(position.setCommitPosition(String(from)).setPreparePosition(String(from)));
  return all;
};

const toStream = <Options extends CreateReq.StreamOptions | UpdateReq.StreamOptions>(
  options: Options,
  stream: string,
  from: GroupSettings['from'] = 'start',
): Options => {
  options.setStreamIdentifier(identifierOf(stream));
  if (from === 'start') options.setStart(new Empty());
  else if (from === 'end') options.setEnd(new Empty());
  else options.setRevision(String(from));
  return options;
};

export const createRequest = ({ stream, group }: GroupName, wanted: GroupSettings = {}): CreateReq => {
  const settings = fill(new CreateReq.Settings(), wanted).setConsumerStrategy(wanted.strategy ?? '');
  const options = new CreateReq.Options().setGroupName(group).setSettings(settings);
  if (stream !== undefined) options.setStream(toStream(new CreateReq.StreamOptions(), stream, wanted.from));
  else {
    const all = toAll(new CreateReq.AllOptions(), new CreateReq.Position(), wanted.from);
    options.setAll(wanted.filter === undefined ? all.setNoFilter(new Empty()) : all.setFilter(filterOf(wanted.filter)));
  }
  return new CreateReq().setOptions(options);
};

export const updateRequest = ({ stream, group }: GroupName, wanted: GroupSettings = {}): UpdateReq => {
  const options = new UpdateReq.Options().setGroupName(group).setSettings(fill(new UpdateReq.Settings(), wanted));
  if (stream === undefined) options.setAll(toAll(new UpdateReq.AllOptions(), new UpdateReq.Position(), wanted.from));
  else options.setStream(toStream(new UpdateReq.StreamOptions(), stream, wanted.from));
  return new UpdateReq().setOptions(options);
};

interface Targeted {
  setStreamIdentifier(value: ReturnType<typeof identifierOf>): unknown;
  setAll(value: Empty): unknown;
  setGroupName(name: string): unknown;
}

const targeting = <Options extends Targeted>(options: Options, { stream, group }: GroupName): Options => {
  if (stream === undefined) options.setAll(new Empty());
  else options.setStreamIdentifier(identifierOf(stream));
  options.setGroupName(group);
  return options;
};

export const deleteRequest = (name: GroupName): DeleteReq =>
  new DeleteReq().setOptions(targeting(new DeleteReq.Options(), name));
export const infoRequest = (name: GroupName): GetInfoReq =>
  new GetInfoReq().setOptions(targeting(new GetInfoReq.Options(), name));

export const replayRequest = (name: GroupName, stopAt?: number): ReplayParkedReq => {
  const options = targeting(new ReplayParkedReq.Options(), name);
  if (stopAt === undefined) options.setNoLimit(new Empty());
  else options.setStopAt(String(stopAt));
  return new ReplayParkedReq().setOptions(options);
};

/** Of a stream, of `$all`, or of everything. */
export const listRequest = (of: { readonly stream: string } | '$all' | 'everything'): ListReq => {
  const options = new ListReq.Options();
  if (of === 'everything') return new ListReq().setOptions(options.setListAllSubscriptions(new Empty()));
  const stream = new ListReq.StreamOption();
  if (of === '$all') stream.setAll(new Empty());
  else stream.setStream(identifierOf(of.stream));
  return new ListReq().setOptions(options.setListForStream(stream));
};

export const connectRequest = (name: GroupName, slots: number): ReadReq => {
  const options = targeting(new ReadReq.Options(), name);
  options.setBufferSize(slots);
  options.setUuidOption(new ReadReq.Options.UUIDOption().setString(new Empty()));
  return new ReadReq().setOptions(options);
};

export const ackRequest = (ids: readonly string[]): ReadReq =>
  new ReadReq().setAck(new ReadReq.Ack().setIdsList(ids.map(textId)));

export const nackRequest = (action: ReadReq.Nack.Action, reason: string, ids: readonly string[]): ReadReq =>
  new ReadReq().setNack(new ReadReq.Nack().setAction(action).setReason(reason).setIdsList(ids.map(textId)));
