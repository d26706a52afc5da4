/**
 * Workloads' credentials exchanged over HTTP, each verified (RS256), with a grant and an issuance on disk before it is answered; beside tokens by
 * client credentials of the same processes, which need one append and no signature.
 */
import { randomUUID } from 'node:crypto';
import { tenantAudience } from '../../../commands/identity/token-exchange/workload/tenant-audience';
import type { TrustRuleId, WorkloadIssuerId } from '../../../domain/identity/ids';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import { workloadTrustStream, workloadTrusts } from '../../../domain/identity/workload-trust/events';
import type { TrustedKey } from '../../../domain/identity/workload-trust/trusted-key';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { EventStore } from '../../../infra/ports/event-store';
import { noon, scope, tenantId } from '../../identity/examples';
import { issuer, record } from '../../identity/grants/fixture';
import { githubClaims } from '../../identity/workloads/documented-claims';
import { github, rule } from '../../identity/workloads/examples';
import { makeSigningKey, type SigningKey, signClaims } from '../../support/identity/workload-issuer';
import { fromCallers, percentile, rate, report } from '../measure';
import { type Side, startOurs } from './issue/issuers';

const callers = 64;
const rounds = 3;
/** Of a round; fewer where others use the machine. */
const count = Number(process.env.EXCHANGE_COUNT ?? 4_096);
const ruleCounts = [1, 500];

/** The last of the rules answers. */
const trust = async (store: EventStore, key: SigningKey, ruleCount: number): Promise<void> => {
  const principalId = randomUUID() as string as PrincipalId;
  const issuerId = randomUUID() as string as WorkloadIssuerId;
  const ruleIds = Array.from({ length: ruleCount }, () => randomUUID() as string as TrustRuleId);
  const scopes = [scope('principals:read')];
  await record(
    { store },
    [principalStream(tenantId, principalId), principals],
    [
      { type: 'PrincipalRegistered', data: { principalId, tenantId, principalType: 'PIPELINE', createdAt: noon } },
      ...ruleIds.map((ruleId) => ({ type: 'TrustRuleAuthorized' as const, data: { principalId, ruleId, scopes } })),
    ],
  );
  const keys = { keys: [key.publicJwk as TrustedKey] };
  const named = { ...github, issuer: issuerOf(ruleCount), keys };
  const rules = ruleIds.map((ruleId, index) => {
    const value = index === ruleCount - 1 ? 'octo-org/octo-repo' : `octo-org/repo-${index}`;
    const conditions = [{ attribute: 'repository' as const, comparison: 'exact' as const, value }];
    return { ...rule, ruleId, issuerId, principalId, conditions, createdAt: noon };
  });
  await record(
    { store },
    [workloadTrustStream(tenantId), workloadTrusts],
    [
      { type: 'WorkloadIssuerTrusted', data: { issuerId, createdAt: noon, ...named } },
      ...rules.map((data) => ({ type: 'TrustRuleMade' as const, data })),
    ],
  );
};

const issuerOf = (ruleCount: number): string => `https://ci-${ruleCount}.example`;

const sign = (key: SigningKey, ruleCount: number): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  const times = { iat: now, exp: now + 3_600 };
  const aud = tenantAudience(issuer, tenantId);
  return signClaims(key, { ...githubClaims(), iss: issuerOf(ruleCount), aud, ...times });
};

const exchange = async (side: Side, index: number, token: string): Promise<void> => {
  const { status, body } = await side.call(index, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
};

const credential = async (side: Side, index: number): Promise<void> => {
  const { status, body } = await side.call(index, side.service);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
};

export const run = async (): Promise<void> => {
  const side = await startOurs(2);
  const key = await makeSigningKey();
  await fromCallers(callers, count / 4, (index) => credential(side, index));
  for (const ruleCount of ruleCounts) {
    await trust(side.store, key, ruleCount);
    const [perSecond, baselines, milliseconds]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      const tokens = await Promise.all(Array.from({ length: count }, () => sign(key, ruleCount)));
      baselines.push(await rate(count, () => fromCallers(callers, count, (index) => credential(side, index))));
      const timed = async (index: number): Promise<void> => {
        const started = performance.now();
        await exchange(side, index, tokens[index] as string);
        milliseconds.push(performance.now() - started);
      };
      perSecond.push(await rate(count, () => fromCallers(callers, count, timed)));
    }
    const baseline = percentile(baselines, 0.5);
    const name = `exchange.rules-${ruleCount}`;
    report({ name: `${name}.perSecond`, value: percentile(perSecond, 0.5), unit: 'exchanges/s', baseline });
    report({ name: `${name}.p99`, value: percentile(milliseconds, 0.99), unit: 'ms' });
  }
  await side.stop();
};
