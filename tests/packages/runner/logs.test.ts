/** Texts of any form become chunks and lines that lose nothing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogChunk } from '../../../domain/workflow/protocol/runner';
import { openChunker, type TextChunk } from '../../../packages/runner/src/logs/chunker';
import { type LinePiece, openLineReader } from '../../../packages/runner/src/logs/line-reader';
import { openLogWriter } from '../../../packages/runner/src/logs/log-writer';

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 20 });

const chunksOf = (parts: readonly string[], maxBytes: number, flushEvery: number): readonly TextChunk[] => {
  const chunks: TextChunk[] = [];
  const chunker = openChunker(maxBytes, (chunk) => chunks.push(chunk));
  for (const [index, part] of parts.entries()) {
    chunker.push(part);
    if (index % flushEvery === 0) chunker.flush();
  }
  chunker.flush();
  assert.equal(chunker.size(), Buffer.byteLength(parts.join('')));
  return chunks;
};

describe('chunks of a log', () => {
  it('join to the text, follow each other, keep the bound and split no character', () =>
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 4, max: 64 }),
        fc.integer({ min: 1, max: 5 }),
        (parts, maxBytes, flushEvery) => {
          const chunks = chunksOf(parts, maxBytes, flushEvery);
          assert.equal(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('utf8'), parts.join(''));
          let end = 0;
          for (const [index, { chunkOffset, byteStart, byteEnd, bytes }] of chunks.entries()) {
            assert.deepEqual([chunkOffset, byteStart, byteEnd], [index, end, end + bytes.length]);
            assert.ok(bytes.length > 0 && bytes.length <= maxBytes);
            assert.equal(Buffer.from(bytes.toString('utf8')).compare(bytes), 0);
            end = byteEnd;
          }
        },
      ),
    ));
});

describe('lines of a stream', () => {
  const piecesOf = (bytes: Uint8Array, cuts: readonly number[]): readonly LinePiece[] => {
    const pieces: LinePiece[] = [];
    const reader = openLineReader((piece) => pieces.push(piece));
    const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((one, other) => one - other);
    for (const [index, place] of [...places, bytes.length].entries()) {
      reader.push(bytes.subarray(places[index - 1] ?? 0, place));
      if (index % 2 === 0) reader.flushPartial();
    }
    reader.end();
    return pieces;
  };
  const join = (pieces: readonly LinePiece[]): string =>
    pieces.map(({ text, ends }) => `${text}${ends ? '\n' : ''}`).join('');

  it('are the text of the bytes wherever they are cut, and end with a line break', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 6 }), (bytes, cuts) => {
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\r\n', '\n');
        const ended = expected === '' || expected.endsWith('\n') ? expected : `${expected.replace(/\r$/, '')}\n`;
        assert.equal(join(piecesOf(bytes, cuts)).replace(/\r\n$/, '\n'), ended);
      }),
    ));

  it('come in pieces when they are long', () => {
    const pieces = piecesOf(Buffer.from(`${'é'.repeat(200_000)}\nnext\n`), []);
    assert.ok(pieces.every(({ text }) => text.length <= 65_536));
    assert.equal(join(pieces), `${'é'.repeat(200_000)}\nnext\n`);
  });
});

describe('a log that is sent', () => {
  const limits = {
    logBytes: 1_000_000,
    chunkBytes: 100,
    chunkMilliseconds: 1,
    bufferBytes: 400,
    stallMilliseconds: 10_000,
    drainMilliseconds: 10_000,
  };

  it('is whole and in order, whatever is lost, repeated or half acknowledged', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 200 }), { maxLength: 20 }),
        fc.array(fc.constantFrom('stored', 'lost', 'half', 'unanswered'), { maxLength: 12 }),
        async (parts, faults) => {
          const stored = new Map<number, LogChunk>();
          const [behaviour, ended] = [[...faults], new AbortController()];
          const writer = openLogWriter({
            limits,
            signal: ended.signal,
            exceeded: () => assert.fail('it is never full for long'),
            send: async (chunks) => {
              const fault = behaviour.shift() ?? 'stored';
              const delivered =
                fault === 'lost' ? [] : fault === 'half' ? chunks.slice(0, Math.ceil(chunks.length / 2)) : chunks;
              for (const chunk of delivered) stored.set(chunk.chunkOffset, chunk);
              if (fault === 'lost' || fault === 'unanswered') return { kind: 'acknowledged', next: 0 };
              let next = 0;
              while (stored.has(next)) next += 1;
              return { kind: 'acknowledged', next };
            },
          });
          for (const part of parts) await writer.write(part);
          const { chunks, isComplete } = await writer.close();
          assert.ok(isComplete);
          assert.equal(stored.size, chunks);
          const bytes = parts.join('').length;
          assert.equal(
            [...stored.values()].reduce((sum, { byteStart, byteEnd }) => sum + byteEnd - byteStart, 0) >= bytes,
            true,
          );
        },
      ),
      { numRuns: 10 },
    ));
});
