/** The settings of a group of consumers. */

export const strategies = ['RoundRobin', 'DispatchToSingle', 'Pinned', 'PinnedByCorrelation'] as const;
export type Strategy = (typeof strategies)[number];

export const isStrategy = (name: string): name is Strategy => (strategies as readonly string[]).includes(name);

/** Inclusive. */
export type StartFrom = 'start' | 'end' | number;

/** A filter of `$all` as the client sent it, so that it can be stored. */
export interface FilterText {
  readonly on: 'stream' | 'type';
  /** The prefixes apply when this is empty. */
  readonly regex: string;
  readonly prefixes: readonly string[];
}

export interface GroupSettings {
  readonly resolveLinks: boolean;
  readonly extraStatistics: boolean;
  readonly startFrom: StartFrom;
  /** In milliseconds; 0: without limit. */
  readonly messageTimeout: number;
  readonly maxRetryCount: number;
  readonly minCheckpointCount: number;
  readonly maxCheckpointCount: number;
  /** In milliseconds; 0: by count alone. */
  readonly checkpointAfter: number;
  readonly maxSubscriberCount: number;
  readonly liveBufferSize: number;
  readonly historyBufferSize: number;
  readonly readBatchSize: number;
  readonly strategy: Strategy;
}

/** The complaint about settings that no group can work with; undefined when they are fine. */
export const settingsProblem = (settings: GroupSettings): string | undefined => {
  const { readBatchSize, historyBufferSize } = settings;
  const natural = [
    ['messageTimeout', settings.messageTimeout],
    ['checkpointAfter', settings.checkpointAfter],
    ['minCheckpointCount', settings.minCheckpointCount],
    ['maxCheckpointCount', settings.maxCheckpointCount],
    ['maxSubscriberCount', settings.maxSubscriberCount],
    ['maxRetryCount', settings.maxRetryCount],
    ['liveBufferSize', settings.liveBufferSize],
  ] as const;
  const negative = natural.find(([, value]) => value < 0);
  if (negative !== undefined) return `${negative[0]} may not be negative`;
  if (readBatchSize <= 0) return 'ReadBatchSize must be greater than 0';
  if (readBatchSize >= historyBufferSize) return 'ReadBatchSize may not be greater than or equal to BufferSize';
  return undefined;
};

export type SourceKind = 'all' | 'stream';

/** Places as EventStoreDB writes them: a revision, or a position in `$all` twice. */
export const formatPosition = (target: SourceKind, at: number): string =>
  target === 'all' ? `C:${at}/P:${at}` : String(at);

const allPositionShape = { all: /^C:(-?\d{1,16})\/P:-?\d{1,16}$/, stream: /^(-?\d{1,16})$/ };

/** Undefined when the text is no place. */
export const parsePosition = (target: SourceKind, text: unknown): number | undefined => {
  if (typeof text === 'number' && target === 'stream') return text;
  const [, digits] = (typeof text === 'string' && allPositionShape[target].exec(text)) || [];
  return digits === undefined ? undefined : Number(digits);
};

export const formatStart = (target: SourceKind, from: StartFrom): string => {
  if (from === 'start') return formatPosition(target, 0);
  return from === 'end' ? formatPosition(target, -1) : formatPosition(target, from);
};

export const parseStart = (target: SourceKind, text: unknown): StartFrom | undefined => {
  const position = parsePosition(target, text);
  if (position === undefined || position < -1) return undefined;
  if (position === -1) return 'end';
  return position === 0 ? 'start' : position;
};
