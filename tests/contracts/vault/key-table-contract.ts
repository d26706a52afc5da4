/** What every table of wrapped keys does. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Either, isRight } from 'fp-ts/Either';
import type { KeyRow, KeyTable } from '../../../infra/ports/vault';

export const value = <A>(answer: Either<unknown, A>): A => {
  if (!isRight(answer)) assert.fail(JSON.stringify(answer.left));
  return answer.right;
};

const row = (subject: string, master: string, wrapped = `wrapped-${randomUUID()}`): KeyRow => ({
  id: randomUUID(),
  subject,
  master,
  wrapped,
});

export const keyTableContract = (open: () => Promise<KeyTable>): void => {
  let table: KeyTable;
  let master: string;
  beforeEach(async () => {
    table = await open();
    master = randomUUID();
    value(await table.activate(master, false));
  });
  afterEach(() => table.close());

  const insert = async (made: KeyRow): Promise<KeyRow> => {
    assert.equal(value(await table.insert(made)), true);
    return made;
  };
  const subject = (): string => randomUUID();

  it('keeps one key per subject under concurrent inserts', async () => {
    const who = subject();
    const made = await insert(row(who, master));
    assert.equal(value(await table.insert(row(who, master))), false);
    assert.deepEqual(value(await table.ofSubject(who)), made);
    assert.deepEqual(value(await table.byId(made.id, 0)), [made]);
    assert.equal(value(await table.ofSubject(subject())), undefined);
    assert.deepEqual(value(await table.byId(randomUUID(), 3)), []);
  });

  it('lets one of many win who make a key at the same moment', async () => {
    const who = subject();
    const rows = Array.from({ length: 12 }, () => row(who, master));
    const answers = await Promise.all(rows.map((one) => table.insert(one)));
    assert.equal(answers.map(value).filter(Boolean).length, 1);
    const stored = value(await table.ofSubject(who));
    assert.deepEqual(stored, rows[answers.findIndex((answer) => value(answer))]);
  });

  it('stores how far erasures got, until it is set to unknown', async () => {
    for (const position of [7n, 2n ** 53n + 1n, 3n, null, 5n, null]) {
      value(await table.recordErasedTo(position));
      assert.equal(value(await table.erasedTo()), position);
    }
  });

  it('erases for good, also what is not there, and has room for another key of the subject', async () => {
    const who = subject();
    const made = await insert(row(who, master));
    const unknown = randomUUID();
    for (const _ of ['once', 'twice']) value(await table.erase([made.id, unknown, made.id]));
    assert.equal(value(await table.ofSubject(who)), undefined);
    for (const id of [made.id, unknown]) assert.equal(value(await table.byId(id, 0))[0]?.wrapped, null);
    value(await table.rewrap([{ before: made, after: { ...made, wrapped: 'again' } }]));
    assert.equal(value(await table.byId(made.id, 0))[0]?.wrapped, null, 'a rotation brings nothing back');
    assert.equal(value(await table.insert(made)), false, 'nor does whoever made it');
    await insert(row(who, master));
  });

  it('answers keys made after a given one', async () => {
    const rows: KeyRow[] = [];
    for (let count = 0; count < 4; count += 1) rows.push(await insert(row(subject(), master)));
    const [, second] = rows;
    assert.deepEqual(value(await table.byId(second?.id ?? '', 2)), rows.slice(1));
  });

  it('has one active master key, and takes keys only under it', async () => {
    const before = await insert(row(subject(), master));
    const next = randomUUID();
    value(await table.activate(next, true));
    assert.equal(value(await table.active()), master, 'there was a first one already');
    value(await table.activate(next, false));
    assert.equal(value(await table.active()), next);
    assert.equal(value(await table.insert(row(subject(), master))), false);
    assert.equal(value(await table.insert(row(subject(), randomUUID()))), false);
    assert.deepEqual(
      value(await table.stale(100_000)).filter(({ id }) => id === before.id),
      [before],
    );
  });

  it('rewraps a key only if it did not change since it was read', async () => {
    const made = await insert(row(subject(), master));
    const after = { ...made, wrapped: 'anew' };
    value(await table.rewrap([{ before: { ...made, wrapped: 'other' }, after }]));
    assert.deepEqual(value(await table.byId(made.id, 0)), [made]);
    value(await table.rewrap([{ before: made, after: { ...after, master: randomUUID() } }]));
    assert.deepEqual(value(await table.byId(made.id, 0)), [made], 'another rotation was faster');
    value(await table.rewrap([{ before: made, after }]));
    assert.deepEqual(value(await table.byId(made.id, 0)), [after]);
  });

  it('lets a master key go when it wraps nothing and is not the active one', async () => {
    const made = await insert(row(subject(), master));
    const next = randomUUID();
    assert.equal(value(await table.retire(master)), false, 'active');
    value(await table.activate(next, false));
    assert.equal(value(await table.retire(master)), false, 'wraps a key');
    value(await table.rewrap([{ before: made, after: { ...made, master: next } }]));
    assert.equal(value(await table.retire(master)), true);
    assert.ok(!value(await table.masters()).some(({ id }) => id === master));
  });

  it('lets one at a time do what must be done alone', async () => {
    const inner = await table.alone(async () => value(await table.alone(async () => 'inside')));
    assert.equal(value(inner), undefined);
    assert.equal(value(await table.alone(async () => 'after')), 'after');
  });
};
