/** Reading `$all` through a filter. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { append, read } from '../harness/raw-calls';
import type { FilterBy } from '../harness/read-requests';
import { eventsOf, isFailed } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';

/** Which of the types Alpha, Beta and Alphabet, one event each, a filter lets through. */
const filters: readonly (readonly [what: string, by: (stream: string) => FilterBy, types: readonly string[]])[] = [
  ['a prefix of the type', () => ({ on: 'type', prefixes: ['Alpha'] }), ['Alpha', 'Alphabet']],
  ['several prefixes', () => ({ on: 'type', prefixes: ['Bet', 'Alphab'] }), ['Beta', 'Alphabet']],
  ['a regular expression, anywhere', () => ({ on: 'type', regex: 'bet$' }), ['Alphabet']],
  ['an anchored one', () => ({ on: 'type', regex: '^(Alpha|Beta)$' }), ['Alpha', 'Beta']],
  ['a prefix of the stream', (stream) => ({ on: 'stream', prefixes: [stream] }), ['Alpha', 'Beta', 'Alphabet']],
  ['a regular expression with an escaped dash', () => ({ on: 'type', regex: 'Be\\-?ta' }), ['Beta']],
  ['nothing to match with', () => ({ on: 'type' }), []],
];

export const filteredReadContract = ({ raw }: Server): void => {
  const types = ['Alpha', 'Beta', 'Alphabet'];
  let stream = '';
  let first = 0n;
  before(async () => {
    stream = freshStream('filter');
    await append(raw(), { stream, events: types.map((type) => proposed({ type })) });
    first = BigInt(eventsOf(await read(raw(), { stream, count: 1 }))[0]?.getCommitPosition() ?? '');
  });
  for (const [what, by, expected] of filters)
    it(`passes ${expected.join(', ') || 'nothing'} by ${what}`, async () => {
      const answer = await read(raw(), { from: first, count: 3, filter: by(stream) });
      const found = eventsOf(answer).filter((event) => types.includes(event.getMetadataMap().get('type') ?? ''));
      assert.equal(answer.failed, undefined);
      assert.deepEqual(
        found.map((event) => event.getMetadataMap().get('type')),
        expected,
      );
    });

  it('counts matching events only, both ways', async () => {
    const filter = { on: 'stream', prefixes: [stream], window: 1 } as const;
    const forwards = eventsOf(await read(raw(), { count: 2, filter }));
    assert.deepEqual(
      forwards.map((event) => event.getMetadataMap().get('type')),
      ['Alpha', 'Beta'],
    );
    const backwards = eventsOf(await read(raw(), { from: 'end', backwards: true, count: 2, filter }));
    assert.deepEqual(
      backwards.map((event) => event.getMetadataMap().get('type')),
      ['Alphabet', 'Beta'],
    );
  });

  it('refuses a filter on nothing, without a window, or with a broken expression', async () => {
    const codes: (number | undefined)[] = [];
    for (const filter of [
      { regex: 'a' },
      { on: 'type', regex: 'a', window: 'unset' },
      { on: 'type', regex: '(' },
    ] as const)
      codes.push((await read(raw(), { count: 1, filter })).failed?.code);
    assert.deepEqual(codes, [status.INVALID_ARGUMENT, status.INVALID_ARGUMENT, status.UNKNOWN]);
  });

  it('goes on serving others while an expression is slow', async () => {
    const hostile = freshStream('slow');
    await append(raw(), { stream: hostile, events: [proposed({ type: `${'a'.repeat(28)}!` })] });
    const slow = read(raw(), { from: 'end', backwards: true, count: 1, filter: { on: 'type', regex: '^(a+)+$' } });
    const reply = await append(raw(), { stream: hostile, events: several(1) });
    assert.equal(isFailed(reply), false);
    await slow;
  });

  it('ends an expression with look-ahead that never ends, and takes one that does', async () => {
    const own = freshStream('ahead');
    await append(raw(), { stream: own, events: [proposed({ type: `${'a'.repeat(40)}!` })] });
    const by = { from: 'end', backwards: true, count: 1 } as const;
    const never = await read(raw(), { ...by, filter: { on: 'type', regex: '^(?=(a+)+$)' } });
    // A real node is not ours to hold to this one.
    if (never.failed !== undefined) assert.equal(never.failed.code, status.INVALID_ARGUMENT);
    const taken = await read(raw(), {
      ...by,
      filter: { on: 'stream', regex: `^(?!\\$)(?=${own.replaceAll('.', '\\.')}$)` },
    });
    assert.equal(eventsOf(taken).length, 1);
  });
};
