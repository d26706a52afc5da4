/** From the answer of a revocation to the last gateway's first refusal, while all of them are busy. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { Pool } from 'undici';
import { grants } from '../../../../domain/identity/grant/events';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { jsonOf } from '../../../support/identity/admin';
import type { ManyGateways } from './gateways';

export type Kind = 'jti' | 'epoch' | 'grant';

interface Target {
  readonly token: string;
  readonly body: object;
}

/** Authenticated, passed on, and nothing there: what is looked at is whether it is let in. */
const path = '/v1/nothing-here';

type SendRequest = (token: string) => Promise<number>;

const sendersTo = (urls: readonly string[]): readonly (SendRequest & { readonly pool: Pool })[] =>
  urls.map((url) => {
    const pool = new Pool(url, { connections: 4 });
    const send = async (token: string): Promise<number> => {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path,
        headers: { authorization: `Bearer ${token}` },
      });
      await body.dump();
      return statusCode;
    };
    return Object.assign(send, { pool });
  });

const registered = async ({ admin }: ManyGateways): Promise<string> => {
  const response = await admin.post('/v1/principals', { principalType: 'PIPELINE' });
  return String((await jsonOf(response)).principalId);
};

/** As consent would have opened it. */
const grantOf = async ({ services }: ManyGateways, grantId: string): Promise<void> => {
  const store = openEventStore({ url: services.node.url });
  const at = new Date().toISOString();
  const whose = { grantId, principalId: 'admin', principalType: 'HUMAN', clientId: 'main.admin' };
  const what = { scopes: [], audience: [], sessionId: null, refreshFamilyId: null, methods: [] };
  const when = { authenticatedAt: at, createdAt: at, expiresAt: at, clientEpoch: 0 };
  const event = grants.encode({ type: 'GrantOpened', data: { ...whose, ...what, ...when } } as never);
  const ids = { $correlationId: 'bench', $causationId: 'bench', commandId: grantId, commandHash: 'bench' };
  const metadata = { ...ids, tenant: 'main', actor: 'system:bench', at };
  const appended = await store.append(`identity.grant-main.${grantId}`, 'no-stream', [
    { id: randomUUID(), type: event.type, data: event.data, metadata },
  ]);
  await store.close();
  if (isLeft(appended)) throw new Error('the grant could not be recorded');
};

const targetOf = async (stage: ManyGateways, kind: Kind): Promise<Target> => {
  const [jti, gid] = [randomUUID(), randomUUID()];
  const reason = 'bench';
  if (kind === 'jti') return { token: await stage.sign({ sub: 'p-1', jti }), body: { jti, reason } };
  if (kind === 'grant') {
    await grantOf(stage, gid);
    return { token: await stage.sign({ sub: 'p-1', jti, gid }), body: { grantId: gid, reason } };
  }
  const principalId = await registered(stage);
  return { token: await stage.sign({ sub: principalId, jti }), body: { principalId, reason } };
};

const firstRefusal = async (send: SendRequest, token: string): Promise<number> => {
  const until = performance.now() + 30_000;
  for (;;) {
    const status = await send(token);
    if (status === 401) return performance.now();
    if (performance.now() > until) throw new Error(`a gateway never refused; at last it answered ${status}`);
  }
};

/** Milliseconds from the answer until the last of all gateways refuses. */
const trial = async (stage: ManyGateways, senders: readonly SendRequest[], kind: Kind): Promise<number> => {
  const { token, body } = await targetOf(stage, kind);
  const before = await Promise.all(senders.map((send) => send(token)));
  if (before.some((status) => status === 401)) throw new Error('a gateway refused before anything was revoked');
  const answer = await stage.admin.post('/v1/tokens/revoke', body);
  if (answer.status !== 200) throw new Error(`revoking answered ${answer.status}: ${await answer.text()}`);
  const answered = performance.now();
  await answer.body?.cancel();
  const refused = await Promise.all(senders.map((send) => firstRefusal(send, token)));
  return Math.max(...refused) - answered;
};

/** Requests at a steady pace to gateways in turn; answers how many were answered a second, and how to end it. */
const openLoad = (senders: readonly SendRequest[], token: string, perSecond: number) => {
  const began = performance.now();
  let [sent, answered, failed] = [0, 0, 0];
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * perSecond) / 1000);
    for (; sent < due; sent += 1)
      senders[sent % senders.length]?.(token).then(
        () => (answered += 1),
        () => (failed += 1),
      );
  }, 10);
  return () => {
    clearInterval(timer);
    return { rate: (answered * 1000) / (performance.now() - began), failed };
  };
};

export interface Measured {
  readonly milliseconds: { readonly [kind in Kind]: readonly number[] };
  readonly rate: number;
  readonly failed: number;
}

export const measurePropagation = async (
  stage: ManyGateways,
  { trials, perSecond }: { readonly trials: number; readonly perSecond: number },
): Promise<Measured> => {
  const [senders, loading] = [sendersTo(stage.urls), sendersTo(stage.urls)];
  const end = openLoad(loading, await stage.sign({ sub: 'busy', jti: randomUUID() }), perSecond);
  const milliseconds: { [kind in Kind]: number[] } = { jti: [], epoch: [], grant: [] };
  for (let number = 0; number < trials; number += 1)
    for (const kind of ['jti', 'epoch', 'grant'] as const) milliseconds[kind].push(await trial(stage, senders, kind));
  const loaded = end();
  await Promise.all([...senders, ...loading].map(({ pool }) => pool.destroy()));
  return { milliseconds, ...loaded };
};
