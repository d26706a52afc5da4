/** What the terminal says of stores while the system runs. */
import assert from 'node:assert/strict';
import { type WatchedStore, watchStores } from '../../../../infra/operate/launch/stores/watch-stores';
import { eventually } from '../../../support/waiting/eventually';

const startWatch = () => {
  const over = new AbortController();
  const said: string[] = [];
  const state = { answers: 'yes' as 'yes' | 'error' | 'silence', probes: 0, isClosed: false };
  const store: WatchedStore = {
    name: 'redis',
    away: 'Redis does not answer. Meanwhile, nobody can sign in.',
    probe: () => {
      state.probes += 1;
      if (state.answers === 'silence') return new Promise(() => undefined);
      return state.answers === 'yes' ? Promise.resolve() : Promise.reject(new Error('refused'));
    },
    close: async () => {
      state.isClosed = true;
    },
  };
  const say = (name: string, message: string): void => void said.push(`${name} ${message}`);
  const watching = watchStores([store], { say, signal: over.signal, everyMilliseconds: 1, answerMilliseconds: 5 });
  const probesFrom = async (count: number): Promise<void> =>
    eventually(async () => assert.ok(state.probes >= count, String(state.probes)));
  const stop = async (): Promise<void> => {
    over.abort();
    await watching;
  };
  return { state, said, probesFrom, stop };
};

describe('stores that are watched', () => {
  for (const answers of ['error', 'silence'] as const)
    it(`are said to be away once, and to answer again once: ${answers}`, async () => {
      const { state, said, probesFrom, stop } = startWatch();
      await probesFrom(3);
      assert.deepEqual(said, []);
      state.answers = answers;
      await eventually(async () => assert.equal(said.length, 1));
      await probesFrom(state.probes + 5);
      assert.deepEqual(said, ['redis Redis does not answer. Meanwhile, nobody can sign in.']);
      state.answers = 'yes';
      await eventually(async () => assert.equal(said.length, 2));
      await probesFrom(state.probes + 5);
      assert.deepEqual(said.slice(1), ['redis answers again']);
      await stop();
      assert.ok(state.isClosed);
    });
});
