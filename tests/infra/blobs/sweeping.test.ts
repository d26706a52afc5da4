import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { unavailable } from '../../../infra/blobs/outcome';
import { keepSweeping } from '../../../infra/blobs/sweeping';
import { keptLog } from '../../support/http-service';

describe('the sweeping of blobs', () => {
  it('gives up what is older than any signature, at once and again, whatever comes of it', async () => {
    const answers = [right(2), left(unavailable('It is away.')), right(0)];
    const asked: string[] = [];
    const [log, ending] = [keptLog(), new AbortController()];
    const sweep = async (before: string) => {
      asked.push(before);
      const answer = answers[asked.length - 1] ?? right(0);
      if (asked.length === answers.length) ending.abort();
      return answer;
    };
    const now = () => Date.parse('2026-01-08T12:00:00.000Z');
    await keepSweeping({ blobs: { sweep }, log, signal: ending.signal, now, pause: async () => undefined });
    assert.deepEqual(asked, Array(3).fill('2026-01-01T12:00:00.000Z'));
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['info', 'warn'],
    );
  });
});
