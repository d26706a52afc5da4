import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frame } from '../../../../infra/server/http/streaming/sse';
import { createSseParser, type SseEvent } from '../../../../packages/client/src/streams/sse-parser';

const parsed = (...pieces: readonly string[]): readonly SseEvent[] => {
  const parser = createSseParser(1_000);
  return pieces.flatMap((piece) => parser.push(piece));
};

const event = (data: string, changes: object = {}): SseEvent => ({ id: undefined, event: 'message', data, ...changes });

describe('client: server-sent events', () => {
  for (const [what, text, expected] of [
    ['data of several lines', 'data: a\ndata:b\ndata\n\n', [event('a\nb\n')]],
    ['every way to end a line', 'data: a\r\rdata: b\r\n\r\ndata: c\n\n', [event('a'), event('b'), event('c')]],
    ['comments and unknown fields', ': heartbeat\n\nfoo: bar\ndata: a\n\n', [event('a')]],
    ['one space behind the colon, not two', 'data:  a\n\n', [event(' a')]],
    ['names of events, for one event', 'event: x\ndata: a\n\ndata: b\n\n', [event('a', { event: 'x' }), event('b')]],
    [
      'ids, until there is another',
      'id: 1\ndata: a\n\ndata: b\n\n',
      [event('a', { id: '1' }), event('b', { id: '1' })],
    ],
    ['ids without NUL', 'id: 1\nid: a\0b\ndata: a\n\n', [event('a', { id: '1' })]],
    ['nothing without data', 'event: x\nid: 4\n\n', []],
    ['nothing of an event that is cut off', 'data: a\n', []],
  ] as const)
    it(`reads ${what}`, () => assert.deepEqual(parsed(text), expected));

  it('reads what our own server writes, however it is cut into pieces', () => {
    const line = fc.string().map((text) => text.replaceAll(/[\r\n\0]/g, ''));
    const sent = fc.record({ id: line, event: line.filter((text) => text !== ''), data: fc.string() });
    fc.assert(
      fc.property(fc.array(sent), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (events, sizes) => {
        const text = events.map(frame).join('');
        const pieces: string[] = [];
        for (let at = 0; at < text.length; ) {
          const size = sizes.next().value ?? 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        const parser = createSseParser(100_000);
        const seen = pieces.flatMap((piece) => parser.push(piece));
        const expected = events.map(({ data, ...rest }) => ({ ...rest, data: data.replaceAll(/\r\n|\r/g, '\n') }));
        assert.deepEqual(seen, expected);
      }),
    );
  });

  it('takes waits that are numbers', () => {
    const parser = createSseParser(100);
    parser.push('retry: soon\nretry: 250\nretry: -1\n');
    assert.equal(parser.retryMilliseconds(), 250);
  });

  it('holds no more than it may of one line and of one event', () => {
    assert.throws(() => parsed('x'.repeat(1_001)), RangeError);
    assert.throws(() => parsed('data: '.padEnd(900, 'x'), `\n${'data: '.padEnd(900, 'x')}\n`), RangeError);
    assert.equal(parsed(...Array.from({ length: 50 }, () => `data: ${'x'.repeat(900)}\n\n`)).length, 50);
  });
});
