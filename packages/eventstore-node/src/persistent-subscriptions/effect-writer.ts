/** Carries out the write effects of a group, and reports each result to the group as an input. */

import { dataOf, revisionOf, type StoredRecord, streamOf } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import { resolveLink } from '../storage/streams/resolve-links';
import type { Write, Writer } from '../storage/writer';
import type { Effect, Input, Message } from './group/messages';
import { type GroupDefinition, groupKeyOf, sourceKindOf } from './group-configuration';
import { formatPosition } from './settings';
import { truncateParkedStream, writeCheckpoint, writeParked } from './system-streams';

export interface EffectWriter {
  readonly park: (effect: Extract<Effect, { kind: 'park' }>) => void;
  readonly checkpoint: (effect: Extract<Effect, { kind: 'checkpoint' }>) => void;
  readonly truncate: (effect: Extract<Effect, { kind: 'truncate-parked' }>) => void;
  /** Resolves when no write is pending. */
  readonly idle: () => Promise<void>;
}

export interface EffectWriterDeps {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly definition: GroupDefinition;
  /** Undefined when it no longer exists. */
  readonly load: (message: Message) => StoredRecord | undefined;
  readonly feed: (input: Input) => void;
}

const int64Maximum = '9223372036854775807';

/** What a parked message links to: the event itself, not the link that led to it. */
const encodeLink = ({ storage, definition }: EffectWriterDeps, message: Message, record: StoredRecord): string => {
  const resolving = definition.settings.resolveLinks || message.replayed;
  const { event } = resolving ? resolveLink(storage, record) : { event: record };
  if (event === undefined) return dataOf(record.bytes).toString('utf8');
  const revision = revisionOf(event.bytes);
  return `${Number.isFinite(revision) ? revision : int64Maximum}@${streamOf(event.bytes).toString('utf8')}`;
};

/** Starts writes, each of which ends with an input to the group; `idle` waits for all of them. */
const createTrackedWrites = ({ writer, feed }: Pick<EffectWriterDeps, 'writer' | 'feed'>) => {
  const writing = new Set<Promise<void>>();
  return {
    write: (body: Write<boolean>, answer: (stored: boolean) => Input): void => {
      const written = writer.write(body).then((result) => {
        writing.delete(written);
        feed(answer(result === true));
      });
      writing.add(written);
    },
    idle: async (): Promise<void> => {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
};

export const createEffectWriter = (deps: EffectWriterDeps): EffectWriter => {
  const { definition, load, feed } = deps;
  const key = groupKeyOf(definition);
  const { write, idle } = createTrackedWrites(deps);
  return {
    idle,
    park: ({ message, reason }) => {
      const { id } = message;
      const record = load(message);
      if (record === undefined) return feed({ kind: 'gone', id });
      const parking = { link: encodeLink(deps, message, record), reason, revision: revisionOf(record.bytes) };
      return write(writeParked(key, parking), (stored) => ({ kind: 'parked', id, stored }));
    },
    checkpoint: ({ at, sequence }) => {
      const position = formatPosition(sourceKindOf(definition), at);
      write(writeCheckpoint(key, position), (stored) => ({ kind: 'checkpointed', at, sequence, stored }));
    },
    truncate: ({ before }) =>
      write(truncateParkedStream(key, before), (stored) => ({ kind: 'truncated', before, stored })),
  };
};
