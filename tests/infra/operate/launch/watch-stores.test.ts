/** Lines of the terminal about stores while the system runs. */
import assert from 'node:assert/strict';
import { type WatchedStore, watchStores } from '../../../../infra/operate/launch/stores/watch-stores';
import { eventually } from '../../../support/waiting/eventually';

const startWatch = () => {
  const over = new AbortController();
  const lines: string[] = [];
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
  const print = (name: string, message: string): void => void lines.push(`${name} ${message}`);
  const watching = watchStores([store], { print, signal: over.signal, everyMilliseconds: 1, answerMilliseconds: 5 });
  const probesFrom = async (count: number): Promise<void> =>
    eventually(async () => assert.ok(state.probes >= count, String(state.probes)));
  const stop = async (): Promise<void> => {
    over.abort();
    await watching;
  };
  return { state, lines, probesFrom, stop };
};

describe('stores that are watched', () => {
  for (const answers of ['error', 'silence'] as const)
    it(`are reported away once, and to answer again once: ${answers}`, async () => {
      const { state, lines, probesFrom, stop } = startWatch();
      await probesFrom(3);
      assert.deepEqual(lines, []);
      state.answers = answers;
      await eventually(async () => assert.equal(lines.length, 1));
      await probesFrom(state.probes + 5);
      assert.deepEqual(lines, ['redis Redis does not answer. Meanwhile, nobody can sign in.']);
      state.answers = 'yes';
      await eventually(async () => assert.equal(lines.length, 2));
      await probesFrom(state.probes + 5);
      assert.deepEqual(lines.slice(1), ['redis answers again']);
      await stop();
      assert.ok(state.isClosed);
    });
});
