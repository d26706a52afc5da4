/** A small load of commands and reads that goes on through anything, and the ledger of what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session, TestResponse } from './admin-session';

export interface Acknowledged {
  readonly key: string;
  readonly principalId: string;
  readonly revision: number;
}

export interface Load {
  /** Resolves when every writer and reader has had an answer to something it began after now. */
  readonly progress: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const paceMilliseconds = 200;
const againMilliseconds = 100;
const writers = 3;

const revisionOf = ({ headers }: TestResponse): number => Number(/^W\/"(\d+)"$/.exec(headers.get('etag') ?? '')?.[1]);

/** Until it is answered, always under the same key. */
const persist = async (session: Session, path: string, body: object): Promise<TestResponse & { key: string }> => {
  const key = randomUUID();
  for (;;) {
    const answered = await session.send('POST', path, { body, headers: { 'idempotency-key': key } });
    if (answered !== undefined && answered.status < 400) return { ...answered, key };
    if (answered !== undefined && answered.status !== 401 && answered.status !== 409)
      session.seen().wrong.push(`${path} answered ${answered.status} ${JSON.stringify(answered.body)}`);
    await sleep(againMilliseconds);
  }
};

const register = async (session: Session, ledger: Acknowledged[]): Promise<void> => {
  const registered = await persist(session, '/v1/principals', { principalType: 'PIPELINE' });
  const principalId = String(registered.body.principalId);
  ledger.push({ key: registered.key, principalId, revision: revisionOf(registered) });
  for (const step of ['suspend', 'reactivate']) {
    await sleep(paceMilliseconds);
    const done = await persist(session, `/v1/principals/${principalId}/${step}`, { reason: 'load' });
    ledger.push({ key: done.key, principalId, revision: revisionOf(done) });
  }
  const position = registered.headers.get('position') ?? '';
  await sleep(paceMilliseconds);
  await read(session, `/v1/principals/${principalId}`, position);
};

/** A read with a minimum position: the view has it, or answers that it is behind. */
const read = async (session: Session, path: string, position: string): Promise<void> => {
  for (;;) {
    const answered = await session.send('GET', path, { headers: { 'min-position': position } });
    if (answered?.status === 200) return;
    if (answered !== undefined && answered.status !== 401)
      session.seen().wrong.push(`${path} answered ${answered.status} after it was acknowledged`);
    await sleep(againMilliseconds);
  }
};

const search = async (session: Session, ledger: readonly Acknowledged[]): Promise<void> => {
  const { principalId } = ledger.at(-1) ?? { principalId: session.principalId };
  const answered = await session.send('GET', `/v1/security/events?principalId=${principalId}`);
  await sleep(answered?.status === 200 ? paceMilliseconds : againMilliseconds);
};

export const startLoad = (session: Session, ledger: Acknowledged[]): Load => {
  let over = false;
  const tasks = [...Array.from({ length: writers }, () => register), search];
  const turns = tasks.map(() => 0);
  const keep = async (task: (typeof tasks)[number], index: number): Promise<void> => {
    while (!over) {
      await task(session, ledger);
      turns[index] = (turns[index] ?? 0) + 1;
    }
  };
  const running = tasks.map(keep);
  return {
    progress: async () => {
      // The one that is under way may have been begun before; the next one was not.
      const goals = turns.map((turn) => turn + 2);
      while (turns.some((turn, index) => turn < (goals[index] as number))) await sleep(20);
    },
    stop: async () => {
      over = true;
      await Promise.all(running);
    },
  };
};
