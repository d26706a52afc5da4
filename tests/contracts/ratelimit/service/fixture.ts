/** The limiter's process on loopback, with the test's policy and the real store, called as the gateway calls it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { service } from '../../../../infra/ratelimit/service/main';
import { identityHeader } from '../../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../../infra/server/http/routing/route';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { sampleIdentity, signedHeader } from '../../../support/http/http-service';
import { limiterVariables } from '../../../support/http/internal-keys';
import { valkeyForTests } from '../../../support/servers/shared-servers';

export const bucket = (name: string, changes: Partial<Rule> = {}): Rule => ({
  name,
  by: ['user'],
  limit: { algorithm: 'token-bucket', limit: 3, periodMilliseconds: 86_400_000, burst: 3 },
  onStoreError: 'deny',
  ...changes,
});

export const tokens = (name: string, changes: Partial<Rule> = {}): Rule =>
  bucket(name, {
    limit: { algorithm: 'token-bucket', limit: 1_000, periodMilliseconds: 86_400_000, burst: 1_000 },
    cost: { unit: 'tokens' },
    ...changes,
  });

export interface TestResponse {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
}

export interface StageOptions {
  readonly rules: readonly Rule[];
  /** Besides those rules. */
  readonly policy?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly redis?: string;
}

/** Each stage has tenants of its own, so that tests do not count each other's requests. */
export const startLimiterService = async ({ rules, policy = {}, env = {}, redis }: StageOptions) => {
  const { path: home, remove } = temporaryDirectory('ratelimit');
  const path = join(home, 'policy.json');
  const write = (text: string): void => writeFileSync(path, text);
  const writePolicy = (version: string, defaults: readonly Rule[]): void =>
    write(JSON.stringify({ version, defaults, ...policy }));
  writePolicy('1', rules);
  const { url } = await valkeyForTests();
  const starting = service.start({
    ...limiterVariables,
    REDIS_URL: redis ?? url,
    RATELIMIT_POLICY_FILE: path,
    LOG_LEVEL: 'error',
    // What takes longer on a busy machine is not what is tested.
    RATELIMIT_STORE_MILLISECONDS: '10000',
    ...env,
  });
  starting.catch(remove);
  const started = await starting;
  assert.ok(isRight(started));
  const base = `http://127.0.0.1:${started.right.port}`;
  const tenant = `t-${randomUUID()}`;
  const identity = (changes: Partial<Identity> = {}): Identity => ({
    ...sampleIdentity,
    tenantId: tenant,
    scopes: ['ratelimit:check'],
    ...changes,
  });
  const post = async (path: string, body: unknown, as: Identity = identity()): Promise<TestResponse> => {
    const target = `/v1/ratelimit/${path}`;
    const response = await fetch(`${base}${target}`, {
      method: 'POST',
      headers: { [identityHeader]: signedHeader('POST', target, as), 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as TestResponse['body'] };
  };
  return {
    base,
    tenant,
    identity,
    post,
    write,
    writePolicy,
    read: async (path: string, as: Identity = identity({ scopes: ['ratelimit:read'] })) => {
      const target = `/v1/ratelimit/${path}`;
      const headers = { [identityHeader]: signedHeader('GET', target, as) };
      const response = await fetch(`${base}${target}`, { headers });
      return { status: response.status, body: (await response.json()) as TestResponse['body'] };
    },
    get: async (path: string) => (await fetch(`${base}${path}`)).text(),
    health: started.right.ready,
    close: async () => {
      await started.right.close();
      remove();
    },
  };
};

export type Stage = Awaited<ReturnType<typeof startLimiterService>>;
