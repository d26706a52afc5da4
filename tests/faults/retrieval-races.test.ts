/** What is taken away is gone with the answer, while views follow and files are indexed again and again. */
import assert from 'node:assert/strict';
import { rounds, useRaces } from './retrieval-races/races';

describe('what is taken away while it is searched', function () {
  this.timeout(1_200_000);
  const races = useRaces();

  it(`is not in any answer from then on, ${rounds} times each way, while it is indexed again and again`, async () => {
    await races.prepare('live');
    const ending = new AbortController();
    const indexing = races.indexUntil('live', ending.signal);
    try {
      await races.raceAll('live');
    } finally {
      ending.abort();
      await indexing;
    }
    assert.ok(!races.logLines().includes('saffron'), 'no passage is in a log line');
  });
});
