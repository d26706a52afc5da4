/** What a personal view refuses when an event is projected, because an erasure could not make its rows what a rebuild makes them. */
import assert from 'node:assert/strict';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { forgotten } from '../../../domain/kernel/secret';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Change, View } from '../../../infra/ports/views/view-store';
import { withErasures } from '../../../projections/kernel/erasable-rows';
import { recordSkip } from '../../../projections/kernel/skipped-events';
import { noteProjection, noteTable } from '../../support/domain/notes-context';

const view = noteTable('test_notes') as unknown as View;
const key = { tenantId: 'acme', noteId: 'n-1' };

const stored = (openedWith: Readonly<Record<string, string>>): StoredEvent => ({
  id: 'e',
  stream: 'notes.note-acme.n-1',
  revision: 0,
  position: 1n,
  type: 'notes.NoteWritten.v1',
  data: Object.fromEntries(Object.keys(openedWith).map((field) => [field, `plain ${field}`])),
  metadata: { opened: Object.keys(openedWith), openedWith },
});

type Data = Readonly<Record<string, unknown>>;
const isGone = (data: Data, field: string): boolean => data[field] === forgotten;
const projected = (changesOf: (data: Data) => readonly unknown[], event = stored({ title: 'k1' })) =>
  withErasures(view, ({ data }) => right(changesOf(data as Data) as readonly Change[]))(event);
const refusal = (...given: Parameters<typeof projected>): string => {
  const made = projected(...given);
  return isLeft(made) ? made.left.reason : 'taken';
};

describe('an event of a personal view', () => {
  const put = (fields: Data) => ({ kind: 'put', row: { ...key, ...fields } });
  const patch = (fields: Data) => ({ kind: 'patch', key, fields });

  it('takes along what each field becomes without a key, and nothing for others', () => {
    const made = projected(({ title }) => [put({ title: isGone({ title }, 'title') ? null : title, size: 1 })]);
    assert.ok(isRight(made));
    const whenErased = { title: { k1: { value: null } } };
    assert.deepEqual(made.right, [{ ...put({ title: 'plain title', size: 1 }), whenErased }]);
  });

  it('takes along that the row goes, whether it is removed or not written', () => {
    for (const without of [[], [{ kind: 'remove', key }]]) {
      const made = projected((data) => (isGone(data, 'title') ? without : [put({ title: data.title })]));
      assert.ok(isRight(made));
      assert.deepEqual(made.right, [
        { ...put({ title: 'plain title' }), whenErased: { '*': { k1: { value: true } } } },
      ]);
    }
  });

  it('is refused where its rows could not be made what they are without the key', () => {
    const rows = 'Without its personal fields it changes other rows or fields.';
    const cases: readonly ((data: Data) => readonly unknown[])[] = [
      (data) => [patch(isGone(data, 'title') ? {} : { title: data.title })],
      (data) => (isGone(data, 'title') ? [] : [patch({ title: data.title })]),
      (data) => (isGone(data, 'title') ? [] : [{ kind: 'remove', key }]),
      (data) => (isGone(data, 'title') ? [put({ title: null })] : []),
      (data) => (isGone(data, 'title') ? [patch({ title: null })] : [put({ title: data.title })]),
      (data) => [put({ noteId: isGone(data, 'title') ? 'gone' : data.title })],
    ];
    for (const [index, changesOf] of cases.entries()) assert.equal(refusal(changesOf), rows, String(index));
    assert.equal(
      refusal((data) => [put({ tenantId: 'globex', title: isGone(data, 'title') ? null : data.title })]),
      'It puts personal fields into the row of another tenant.',
    );
    for (const kind of ['merge', 'erase'])
      assert.match(
        refusal(() => [{ kind }], stored({})),
        /puts, patches and removals only/,
      );
    assert.match(
      refusal(() => [{ kind: 'patch-where' }]),
      /of many rows without personal fields/,
    );
    assert.equal(
      refusal(() => [{ kind: 'patch-where' }], stored({})),
      'taken',
    );
    const many = stored(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((field) => [field, `key-${field}`])));
    assert.match(
      refusal((data) => [put(data)], many),
      /more than 4 subjects/,
    );
  });

  it('cannot bring a row back by a further erasure', () => {
    const both = stored({ title: 'k1', hint: 'k2' });
    const back = (data: Data) => (isGone(data, 'title') && !isGone(data, 'hint') ? [] : [put({ title: null })]);
    assert.match(refusal(back, both), /other rows/);
    const stays = (data: Data) => (isGone(data, 'title') && isGone(data, 'hint') ? [] : [put({ title: null })]);
    assert.equal(refusal(stays, both), 'taken');
  });

  it('may be skipped, but no erasure', async () => {
    const log = openMemoryEventStore();
    const at = '2026-01-31T12:00:00.000Z' as never;
    const request = { verb: 'skip', revision: 0, reason: 'No.', id: 'i', actor: 'operator:ann', at } as const;
    const projection = noteProjection(noteTable('test_notes'));
    const skipped = await recordSkip(log, projection, { ...request, stream: 'privacy.subject-acme.hash' });
    assert.ok(isLeft(skipped));
    assert.match(skipped.left.detail, /must not skip an erasure/);
  });
});
