import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import { unavailable } from '../../../../infra/adapters/blobs/blob-faults';
import { runScheduledCleanup } from '../../../../infra/adapters/blobs/scheduled-cleanup';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { capturedLog } from '../../../support/http/http-service';

describe('the sweeping of blobs', () => {
  it('gives up what is older than any signature, at once and again, whatever comes of it', async () => {
    const answers = [right(2), left(unavailable('It is away.')), right(0)];
    const calls: string[] = [];
    const [log, ending] = [capturedLog(), new AbortController()];
    const sweep = async (before: string) => {
      calls.push(before);
      const answer = answers[calls.length - 1] ?? right(0);
      if (calls.length === answers.length) ending.abort();
      return answer;
    };
    const now = () => Date.parse('2026-01-08T12:00:00.000Z');
    const blobs = {
      sweep,
      list: async () => right({ blobs: [], next: null }),
      removeMany: async () => right(undefined),
    };
    await runScheduledCleanup({ blobs, log, signal: ending.signal, now, pause: async () => undefined });
    assert.deepEqual(calls, Array(3).fill('2026-01-01T12:00:00.000Z'));
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['info', 'warn'],
    );
  });

  it('removes temporary blobs that were stored more than a day ago, and no others', async () => {
    const storedAt = (hour: string) => `2026-01-07T${hour}:00:00.000Z` as Instant;
    const entry = (key: string, hour: string) => ({ key, size: 1, etag: '""', storedAt: storedAt(hour) });
    const stored = [entry('temporary/a', '10'), entry('temporary/b', '13'), entry('temporary/c', '11')];
    const [removed, ending]: [string[], AbortController] = [[], new AbortController()];
    const blobs: Pick<BlobStore, 'sweep' | 'list' | 'removeMany'> = {
      sweep: async () => right(0),
      list: async ({ prefix, after }) => {
        assert.equal(prefix, 'temporary/');
        const index = after === undefined ? 0 : stored.findIndex(({ key }) => key === after) + 1;
        return right({
          blobs: stored.slice(index, index + 1),
          next: stored[index + 1] ? (stored[index]?.key ?? null) : null,
        });
      },
      removeMany: async (keys) => {
        removed.push(...keys);
        return right(undefined);
      },
    };
    const now = () => Date.parse('2026-01-08T12:00:00.000Z');
    const pause = async () => ending.abort();
    await runScheduledCleanup({ blobs, log: capturedLog(), signal: ending.signal, now, pause });
    assert.deepEqual(removed, ['temporary/a', 'temporary/c']);
  });
});
