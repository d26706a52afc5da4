/** Time until a personal view of 100,000 rows is without a forgotten subject of three of them, beside the rebuild that it needed before. */

import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Vault } from '../../../infra/ports/vault';
import type { View } from '../../../infra/ports/views/view-store';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { rebuild } from '../../../projections/kernel/rebuild/rebuild';
import { openLogInErasureOrder } from '../../../projections/privacy/erase-in-log-order';
import { type NoteView, openNoteView } from '../../contracts/vault/note-views';
import { freshName, recordForgotten } from '../../support/domain/erasure-histories';
import { expectRight } from '../../support/domain/expect-right';
import { type NoteEvent, noteEvent, noteStream } from '../../support/domain/notes-context';
import { elasticsearchForTests, valkeyForTests } from '../../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { fromCallers, percentile, report } from '../measure';

const rows = 100_000;
const perAppend = 50;
const perSubject = 3;
const erasures = 5;
const tenant = 'acme';

const noteOf = (index: number, author: string): NoteEvent => ({
  type: 'NoteWritten',
  data: { noteId: `n-${index}`, author, reader: author, size: 1, title: `Note ${index}`, hint: 'Somebody Or Other' },
});

const fill = async (store: EventStore): Promise<void> => {
  const append = async (notes: readonly NoteEvent[]): Promise<void> => {
    const events = notes.map((note) => noteEvent(note, tenant));
    expectRight(await store.append(noteStream(`s-${notes[0]?.data.noteId}`, tenant), 'any', events));
  };
  await fromCallers(8, rows / perAppend, (batch) =>
    append(Array.from({ length: perAppend }, (_, at) => noteOf(batch * perAppend + at, `crowd-${batch % 500}`))),
  );
  for (let subject = 0; subject < 3 * erasures; subject += 1)
    await append(
      Array.from({ length: perSubject }, (_, at) => noteOf(rows + perSubject * subject + at, `few-${subject}`)),
    );
};

interface Place {
  /** Without keys. */
  readonly log: EventStore;
  readonly database: string;
  readonly openFresh: () => Vault;
}

const ticks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

const reaches = async ({ projection, writer }: NoteView, position: bigint): Promise<void> => {
  for (;;) {
    const { position: at } = expectRight(await writer.open(projection.view));
    if (at !== null && at >= position) return;
    await ticks();
  }
};

const benchStore = async ({ log, openFresh }: Place, view: NoteView, subjects: readonly string[]) => {
  const { projection, writer, store: kind } = view;
  const vault = openFresh();
  const store = openLogInErasureOrder({ store: openEncryptingStore(log, vault), vault, log: recordingLog() });
  const projector = runProjector([projection], {
    store,
    log: recordingLog(),
    metrics: noopMetrics,
    writerOf: () => writer,
  });
  await reaches(view, expectRight(await log.head()) ?? 0n);
  const began = performance.now();
  const request = { store, writer, projection, signal: new AbortController().signal, acceptDifferences: false };
  expectRight(await rebuild({ ...request, progress: () => undefined }));
  const baseline = performance.now() - began;
  await reaches(view, expectRight(await log.head()) ?? 0n);
  const found: number[] = [];
  const writing = openFresh();
  for (const subject of subjects) {
    const sentAt = performance.now();
    await recordForgotten(log, writing, { tenant, subject });
    await reaches(view, expectRight(await log.head()) ?? 0n);
    found.push(performance.now() - sentAt);
  }
  report({
    name: `vault.forget.${kind}.${perSubject}of${rows}rows`,
    value: percentile(found, 0.5),
    unit: 'ms',
    baseline,
  });
  await projector.close();
  await Promise.all([vault.close(), writing.close(), writer.close()]);
};

const kinds: readonly View['store'][] = ['postgres', 'redis', 'elastic'];

export const benchErasures = async (place: Place): Promise<void> => {
  const [{ url: redis }, { url: elastic }] = await Promise.all([valkeyForTests(), elasticsearchForTests()]);
  const vault = place.openFresh();
  await fill(openEncryptingStore(place.log, vault));
  await vault.close();
  for (const [index, kind] of kinds.entries()) {
    const view = openNoteView(kind, freshName(), { database: place.database, redis, elastic });
    const subjects = Array.from({ length: erasures }, (_, one) => `few-${index * erasures + one}`);
    await benchStore(place, view, subjects);
  }
};
