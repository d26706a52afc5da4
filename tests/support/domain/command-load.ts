/** A load of commands as careful clients send them: each under its own key until it is answered. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, jsonOf } from '../identity/admin';

export interface Acknowledged {
  readonly key: string;
  readonly principalId: string;
  readonly revision: number;
}

const revisionOf = (response: Response): number => Number(/^W\/"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1]);

/** Sends one command until it is answered, always under the same key, as a careful client does. */
const persist = async (admin: Admin, path: string, body: object): Promise<{ response: Response; key: string }> => {
  const key = randomUUID();
  for (;;) {
    const response = await admin.post(path, body, key).catch(() => undefined);
    if (response !== undefined && response.status < 500) return { response, key };
    await response?.body?.cancel();
    await sleep(50);
  }
};

/** Queries until the stores behind the query are back; a view that is behind answers 503 itself. */
export const answered = async (admin: Admin, path: string): Promise<void> => {
  for (;;) {
    const response = await admin.get(path);
    await response.body?.cancel();
    if (response.status === 200) return;
    assert.ok([404, 503].includes(response.status), `${path} answered ${response.status}`);
    await sleep(50);
  }
};

const registerAndToggle = async (admin: Admin, acknowledged: Acknowledged[]): Promise<void> => {
  const registered = await persist(admin, '/v1/principals', { principalType: 'PIPELINE' });
  assert.equal(registered.response.status, 201);
  const principalId = String((await jsonOf(registered.response)).principalId);
  acknowledged.push({ key: registered.key, principalId, revision: revisionOf(registered.response) });
  for (const step of ['suspend', 'reactivate']) {
    const { response, key } = await persist(admin, `/v1/principals/${principalId}/${step}`, { reason: 'load' });
    assert.equal(response.status, 200, await response.text());
    acknowledged.push({ key, principalId, revision: revisionOf(response) });
  }
};

export const startLoad = (admin: Admin, acknowledged: Acknowledged[], pauseMilliseconds = 0) => {
  let over = false;
  const client = async (): Promise<void> => {
    while (!over) {
      await registerAndToggle(admin, acknowledged);
      if (pauseMilliseconds > 0) await sleep(pauseMilliseconds);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  return {
    stop: async () => {
      over = true;
      await clients;
    },
  };
};
