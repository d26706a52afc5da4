import assert from 'node:assert/strict';
import { type DemandOptions, paceByDemand } from '../../../../infra/server/security-state/poll-pace';

const opened = (options: Partial<DemandOptions> = {}) => {
  const stop = new AbortController();
  const pace = paceByDemand({ stalenessMilliseconds: () => 0, idleMilliseconds: 3_600_000, ...options });
  let polls = 0;
  const polling = (async () => {
    while (!stop.signal.aborted) {
      await pace.wait(stop.signal);
      polls += 1;
    }
  })();
  const polled = async (count: number): Promise<void> => {
    while (polls < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const close = async (): Promise<number> => {
    stop.abort();
    await polling;
    // The abort ends the last wait.
    return polls - 1;
  };
  return { pace, polled, close };
};

describe('the pace of polls for revocations', () => {
  it('is none while nobody asks and another feed proves them fresh', async () => {
    const { close } = opened();
    await new Promise(setImmediate);
    assert.equal(await close(), 0);
  });

  it('begins at once when a caller depends on them, and goes on', async () => {
    const { pace, polled, close } = opened();
    await new Promise(setImmediate);
    pace.demand();
    await polled(3);
    await close();
  });

  it('goes on while streams are open', async () => {
    const { polled, close } = opened({ isFollowed: () => true });
    await polled(2);
    await close();
  });

  it('polls without a caller once they have the age that was named', async () => {
    const { polled, close } = opened({ stalenessMilliseconds: () => 5, idleMilliseconds: 5 });
    await polled(2);
    await close();
  });

  it('waits on when another feed proved them fresh meanwhile', async () => {
    const ages = [0, 100, 300];
    const stalenessMilliseconds = () => ages.shift() ?? 0;
    const { polled, close } = opened({ stalenessMilliseconds, idleMilliseconds: 300 });
    await polled(1);
    assert.deepEqual(ages, []);
    await close();
  });
});
