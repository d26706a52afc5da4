/** A context whose events have secrets of several subjects, and views that show them in every way that a personal view can. */
import { randomUUID } from 'node:crypto';
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { integer, nullable, record, text } from '../../../domain/kernel/codec';
import { aggregate } from '../../../domain/kernel/family';
import { type Forgotten, isForgotten, secret } from '../../../domain/kernel/secret';
import type { NewEvent } from '../../../infra/ports/event-store';
import type { IndexView, KeysView, TableView } from '../../../infra/ports/views/view-store';
import {
  type Projection,
  patchRow,
  projection,
  putRow,
  removeRow,
  streamsOf,
} from '../../../projections/kernel/projection';
import type { RecordedEvent } from '../../../projections/kernel/recorded-event';
import { index, table } from '../../../projections/kernel/view';

const Id = text('Id', { maxLength: 128 });
const Text = text('Text', { maxLength: 200 });

const notes = aggregate(
  { context: 'notes', name: 'note' },
  {
    NoteWritten: {
      v: 1,
      data: {
        noteId: Id,
        author: Id,
        reader: Id,
        size: integer(0),
        title: secret(Text, 'author'),
        hint: secret(Text, 'reader'),
      },
    },
    NoteTitled: { v: 1, data: { noteId: Id, author: Id, title: secret(Text, 'author') } },
    /** The row goes with the reader. */
    NoteLent: { v: 1, data: { noteId: Id, reader: Id, hint: secret(Text, 'reader') } },
    /** Rows that nothing is left of when the author is forgotten. */
    NoteCopied: { v: 1, data: { noteId: Id, author: Id, copies: integer(0), title: secret(Text, 'author') } },
    /** Sets a field that was personal to what is not. */
    NoteStamped: { v: 1, data: { noteId: Id, stamp: Text } },
    NoteRemoved: { v: 1, data: { noteId: Id } },
  },
);
export type NoteEvent = typeof notes.Event;
type Of<Type extends NoteEvent['type']> = RecordedEvent<Extract<NoteEvent, { type: Type }>>;

export const noteStream = (id: string, tenant: string): string => `notes.note-${tenant}.${id}`;

export const noteEvent = (event: NoteEvent, tenant: string): NewEvent => ({
  id: randomUUID(),
  ...notes.encode(event),
  metadata: {
    $correlationId: 'c',
    $causationId: 'c',
    commandId: 'command-1',
    commandHash: 'hash',
    tenant,
    actor: 'system:test',
    at: '2026-01-31T12:00:00.000Z',
  },
});

const NoteRow = record('NoteRow', {
  tenantId: text('TenantId', { maxLength: 63 }),
  noteId: Id,
  size: integer(0),
  revision: integer(0),
  title: nullable(Text),
  hint: nullable(Text),
  /** Of two secrets, so that it has four values. */
  both: nullable(text('Both', { maxLength: 500 })),
  words: t.array(t.string),
  details: record('NoteDetails', { title: nullable(Text), none: t.array(t.string) }),
});
export type NoteRow = TypeOf<typeof NoteRow>;

const shared = { row: NoteRow, key: ['tenantId', 'noteId'] as const, version: 1, personal: true as const };
export const noteTable = (name: string): TableView<NoteRow> => table({ ...shared, name });
export const noteKeys = (name: string): KeysView<NoteRow> => ({ ...shared, name, store: 'redis' });
export const noteIndex = (name: string): IndexView<NoteRow> => index({ ...shared, name });

const plain = (value: string | Forgotten): string | null => (isForgotten(value) ? null : value);
const wordsOf = (title: string | null): string[] => title?.split('-') ?? [];

const rowOf = (noteId: string, at: RecordedEvent<NoteEvent>['at']): NoteRow => ({
  noteId,
  size: 0,
  title: null,
  hint: null,
  both: null,
  words: [],
  details: { title: null, none: [] },
  ...at,
});

const written = ({ data, at }: Of<'NoteWritten'>) => {
  const [title, hint] = [plain(data.title), plain(data.hint)];
  const both = [title, hint].filter((one) => one !== null).join(' and ') || null;
  const details = { title, none: [] };
  return putRow<NoteRow>({
    ...rowOf(data.noteId, at),
    size: data.size,
    title,
    hint,
    both,
    words: wordsOf(title),
    details,
  });
};

const lent = ({ data, at }: Of<'NoteLent'>) =>
  isForgotten(data.hint)
    ? removeRow<NoteRow>({ tenantId: at.tenantId, noteId: data.noteId })
    : putRow<NoteRow>({ ...rowOf(data.noteId, at), hint: data.hint });

const copied = ({ data, at }: Of<'NoteCopied'>) => {
  const { title, author, noteId, copies } = data;
  if (isForgotten(title)) return [];
  return Array.from({ length: copies }, (_, copy) =>
    putRow<NoteRow>({ ...rowOf(`${noteId}/${author}/${copy}`, at), title }),
  ).flat();
};

const removed = ({ data, at }: Of<'NoteRemoved'>) => removeRow<NoteRow>({ tenantId: at.tenantId, noteId: data.noteId });

const whole = { NoteWritten: written, NoteLent: lent, NoteCopied: copied, NoteRemoved: removed };

export const noteProjection = (view: TableView<NoteRow> | KeysView<NoteRow> | IndexView<NoteRow>): Projection => {
  if (view.store === 'elastic') {
    const stamped = ({ data, at }: Of<'NoteStamped'>) =>
      putRow<NoteRow>({ ...rowOf(data.noteId, at), title: data.stamp });
    const titled = ({ data, at }: Of<'NoteTitled'>) =>
      putRow<NoteRow>({ ...rowOf(data.noteId, at), title: plain(data.title), words: wordsOf(plain(data.title)) });
    return projection(view, [streamsOf(notes, { ...whole, NoteTitled: titled, NoteStamped: stamped })]);
  }
  const stamped = ({ data, at }: Of<'NoteStamped'>) =>
    patchRow<NoteRow>({ tenantId: at.tenantId, noteId: data.noteId }, { title: data.stamp, revision: at.revision });
  const titled = ({ data, at }: Of<'NoteTitled'>) => {
    const title = plain(data.title);
    const key = { tenantId: at.tenantId, noteId: data.noteId };
    return patchRow<NoteRow>(key, { title, words: wordsOf(title), revision: at.revision });
  };
  return projection(view as TableView<NoteRow>, [
    streamsOf(notes, { ...whole, NoteTitled: titled, NoteStamped: stamped }),
  ]);
};
