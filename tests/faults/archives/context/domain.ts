/** A context of the tests: archives are uploaded, extracted by a worker in a sandbox, and their documents searched. */
import { type Either, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { ContextAggregates } from '../../../../domain/kernel/aggregate';
import { integer, oneOf, record, text } from '../../../../domain/kernel/codec';
import type { Context } from '../../../../domain/kernel/context';
import type { Decider } from '../../../../domain/kernel/decider';
import { aggregate } from '../../../../domain/kernel/family';
import type { JobQueue } from '../../../../domain/kernel/job-queue';
import { enqueueJob, policy } from '../../../../domain/kernel/process';
import { type Rejection, reject } from '../../../../domain/kernel/rejection';

export const context: Context = {
  name: 'archives',
  scopes: [
    { name: 'archives:read', description: 'Search the documents of archives' },
    { name: 'archives:write', description: 'Upload archives' },
  ],
  tags: [{ name: 'archives', description: 'Archives and their documents.', paths: /^\/v1\/archives/ }],
  limitGroups: [],
  destinations: [],
  services: [],
};

export const ArchiveId = text('ArchiveId', { minLength: 32, maxLength: 32, pattern: '[0-9a-f]{32}' });
export const ArchiveName = text('ArchiveName', { minLength: 1, maxLength: 255 });
export const ArchiveState = oneOf('ArchiveState', ['uploading', 'stored', 'extracted', 'refused']);

export const Content = record('Content', { key: t.string, sha256: t.string, size: integer(0) });
export type Content = t.TypeOf<typeof Content>;

export const archives = aggregate(
  { context: 'archives', name: 'archive' },
  {
    ArchiveOpened: { v: 1, data: { archiveId: ArchiveId, name: ArchiveName, size: integer(0) } },
    ArchiveStored: { v: 1, data: { archiveId: ArchiveId } },
    ArchiveExtracted: { v: 1, data: { archiveId: ArchiveId, documents: integer(0), content: Content } },
    ArchiveRefused: { v: 1, data: { archiveId: ArchiveId, reason: t.string } },
  },
);
export type ArchiveEvent = typeof archives.Event;

export const { stream: archiveStream } = archives;

type ArchiveCommand =
  | { readonly type: 'OpenArchive'; readonly archiveId: string; readonly name: string; readonly size: number }
  | { readonly type: 'StoreArchive'; readonly archiveId: string }
  | {
      readonly type: 'RecordDocuments';
      readonly archiveId: string;
      readonly documents: number;
      readonly content: Content;
    }
  | { readonly type: 'RefuseArchive'; readonly archiveId: string; readonly reason: string };

type State = 'absent' | t.TypeOf<typeof ArchiveState>;

const states = {
  ArchiveOpened: 'uploading',
  ArchiveStored: 'stored',
  ArchiveExtracted: 'extracted',
  ArchiveRefused: 'refused',
} as const;

/** The command that a state waits for has an event; repeated and late ones have none. */
const decide = (
  command: ArchiveCommand,
  state: State,
): Either<Rejection<'archive-unknown'>, readonly ArchiveEvent[]> => {
  const { type, ...data } = command;
  if (type === 'OpenArchive') return right(state === 'absent' ? [{ type: 'ArchiveOpened', data } as ArchiveEvent] : []);
  if (state === 'absent') return reject('archive-unknown', 'There is no such archive.');
  const expected = type === 'StoreArchive' ? 'uploading' : 'stored';
  const event = { StoreArchive: 'ArchiveStored', RecordDocuments: 'ArchiveExtracted', RefuseArchive: 'ArchiveRefused' };
  return right(state === expected ? [{ type: event[type], data } as ArchiveEvent] : []);
};

export const archive: Decider<ArchiveCommand, State, ArchiveEvent, 'archive-unknown'> = {
  family: archives,
  initial: 'absent',
  evolve: (_, { type }) => states[type],
  decide,
};

const ExtractionPayload = record('ArchiveToExtract', { archiveId: ArchiveId });
export type ExtractionPayload = t.TypeOf<typeof ExtractionPayload>;

export const extractionQueue: JobQueue<ExtractionPayload> = {
  name: 'archives-extraction',
  payload: ExtractionPayload,
};

export const extractOnStored = policy({
  name: 'extract-on-stored',
  context: 'archives',
  subscribes: [archives],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (event.type === 'ArchiveStored' ? entityId : undefined),
  answer: ({ event }) => [enqueueJob(extractionQueue, { archiveId: event.data.archiveId }, { mostAttempts: 3 })],
});

export const uploadKey = (tenant: string, archiveId: string): string => `archives/${tenant}/${archiveId}/upload`;

export const documentsKey = (tenant: string, archiveId: string, job: string): string =>
  `archives/${tenant}/${archiveId}/documents-${job}`;

export const processes = { extractOnStored };

export const aggregates: ContextAggregates = {
  aggregates: [archive],
  references: 'none',
};
