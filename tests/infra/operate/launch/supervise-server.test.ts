/** A store that needs longer than the launcher waits, or ends at its start: its clients have its address, and it is tried on. */
import assert from 'node:assert/strict';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { missing } from '../../../../infra/adapters/programs/program-fault';
import type {
  LocalServer,
  StartOptions,
  UnavailableServer,
} from '../../../../infra/operate/launch/servers/local-server';
import { type SupervisedServer, superviseServer } from '../../../../infra/operate/launch/stores/supervise-server';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';
import { recordingLog } from '../../../support/waiting/recording-log';

type Outcome = Either<UnavailableServer, LocalServer>;

/** One call of the program, to be answered by the test. */
interface Start {
  readonly options: StartOptions;
  readonly answer: (outcome: Outcome) => void;
}

const urlAt = (port: number | undefined): string => `redis://127.0.0.1:${port}`;
const broken: Outcome = left({ name: 'redis', kind: 'broken', detail: 'It ended while it started.', cause: 'FATAL' });

const serverAt = ({ port }: StartOptions) => {
  const exit = deferred();
  const server: LocalServer = {
    name: 'redis',
    url: urlAt(port),
    pid: 1,
    exited: exit.promise.then(() => ({ code: 1, signal: null })),
    stop: async () => exit.resolve(),
  };
  return { answer: right(server) as Outcome, end: exit.resolve };
};

describe('a supervised server', () => {
  const starts: Start[] = [];
  const messages: string[] = [];
  let supervised: SupervisedServer | undefined;
  afterEach(async () => {
    await supervised?.stop();
    supervised = undefined;
    starts.length = 0;
    messages.length = 0;
  });

  const supervise = (startTimeoutMilliseconds: number) =>
    superviseServer({
      name: 'redis',
      log: recordingLog(),
      start: (options) =>
        new Promise((resolve) => {
          const cancel = (): void => resolve(left({ name: 'redis', kind: 'cancelled', detail: 'cancelled' }));
          options.signal?.addEventListener('abort', cancel, { once: true });
          starts.push({ options, answer: resolve });
        }),
      options: { directory: '/nowhere', tools: '/nowhere', progress: (message) => void messages.push(message) },
      startTimeoutMilliseconds,
      pause: async () => undefined,
    });
  const startNumber = async (number: number): Promise<Start> => {
    await eventually(async () => assert.equal(starts.length, number));
    return starts[number - 1] as Start;
  };
  const begin = ({ options }: Start): void => options.begun?.(urlAt(options.port));
  const handedOver = async (supervising: ReturnType<typeof supervise>): Promise<SupervisedServer> => {
    const outcome = await supervising;
    if (isLeft(outcome)) assert.fail(outcome.left.detail);
    supervised = outcome.right;
    return supervised;
  };

  it('is ready once it answers, and is started again on its port when it ends', async () => {
    const supervising = supervise(60_000);
    const first = await startNumber(1);
    begin(first);
    const { answer, end } = serverAt(first.options);
    first.answer(answer);
    const { url, isReady } = await handedOver(supervising);
    assert.deepEqual([url, isReady()], [urlAt(first.options.port), true]);
    end();
    const second = await startNumber(2);
    assert.equal(second.options.port, first.options.port);
  });

  it('is off where the machine lacks its program', async () => {
    const supervising = supervise(60_000);
    (await startNumber(1)).answer(left({ name: 'redis', ...missing('no program: install it.') }));
    const outcome = await supervising;
    assert.ok(isLeft(outcome));
    assert.deepEqual(outcome.left, { name: 'redis', kind: 'missing', detail: 'no program: install it.' });
  });

  it('is waited for in the background where it is slow, at the address that its clients have', async () => {
    const supervising = supervise(0);
    const first = await startNumber(1);
    begin(first);
    const { url, ready, isReady } = await handedOver(supervising);
    assert.deepEqual([url, isReady(), starts.length], [urlAt(first.options.port), false, 1]);
    assert.match(messages.join('\n'), /still starting in the background; what needs it is refused until it answers/);
    first.answer(serverAt(first.options).answer);
    await ready;
    assert.ok(isReady());
  });

  it('is not given up while it is fetched and built, however long that takes', async () => {
    const supervising = supervise(0);
    const first = await startNumber(1);
    const early = await Promise.race([supervising, new Promise((resolve) => setImmediate(resolve, 'still building'))]);
    assert.equal(early, 'still building');
    begin(first);
    assert.equal((await handedOver(supervising)).isReady(), false);
  });

  it('is started again in the background where it ends at its start, at the same address', async () => {
    const supervising = supervise(60_000);
    for (const number of [1, 2, 3]) {
      const start = await startNumber(number);
      begin(start);
      start.answer(broken);
    }
    const { url, ready, isReady } = await handedOver(supervising);
    assert.equal(isReady(), false);
    assert.match(
      messages.join('\n'),
      /^It ended while it started\. It is started again in the background; what needs it is refused until then\.$/m,
    );
    for (const number of [4, 5]) {
      const start = await startNumber(number);
      assert.equal(urlAt(start.options.port), url);
      start.answer(number === 4 ? broken : serverAt(start.options).answer);
    }
    await ready;
  });

  it('is given up when the launcher stops, also while it starts', async () => {
    const supervising = supervise(0);
    const first = await startNumber(1);
    begin(first);
    const { stop } = await handedOver(supervising);
    await stop();
    assert.ok(first.options.signal?.aborted);
    assert.equal(starts.length, 1);
  });
});
