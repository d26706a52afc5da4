/** An agent that its platform attests exchanges its credential, with a delegation, for a token that acts for a person. */
import assert from 'node:assert/strict';
import { createDelegationRoute } from '../../../commands/identity/delegations/delegation-routes';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { scope } from '../examples';
import { issuer } from '../grants/fixture';
import { githubClaims } from '../workloads/documented-claims';
import { administrator, type Exchange, refusedExchange, startExchange } from '../workloads/fixture';
import { agentId } from './examples';
import { registerAgent, task } from './fixture';

describe('the exchange with a delegation', () => {
  let stage: Exchange;
  let delegation: { readonly delegationId: string; readonly taskId: string };
  let rule: { readonly issuerId: string };
  beforeEach(async () => {
    stage = await startExchange();
    await registerAgent(stage.shared);
    await stage.recordOf(administrator().principalId as typeof agentId, [
      {
        type: 'PrincipalRegistered',
        data: { principalId: 'admin', tenantId: 'acme', principalType: 'HUMAN', createdAt: stage.shared.clock.now() },
      } as never,
    ]);
    rule = { issuerId: await stage.trustIssuer() };
    await stage.makeRule(rule.issuerId, { principalId: agentId });
    const answer = (await createDelegationRoute.handle(stage.deps, {
      ...{ params: {}, query: {}, target: '/v1/delegations', requestId: 'r-1', signal: new AbortController().signal },
      headers: {},
      identity: administrator(),
      body: { ...task, scopes: ['principals:read', 'principals:write'].map(scope) } as never,
    })) as JsonAnswer;
    assert.equal(answer.status, 201, JSON.stringify(answer));
    const { delegationId } = answer.body as { readonly delegationId: string };
    delegation = { delegationId, taskId: task.taskId };
  });
  afterEach(() => stage.close());

  it('gives what rule and delegation both allow, at either endpoint', async () => {
    const claims = await stage.claimsOf(await stage.exchange(await stage.sign(githubClaims()), delegation));
    assert.deepEqual(
      [claims.sub, claims.on_behalf_of, claims.task_id, claims.scopes],
      [agentId, 'admin', task.taskId, ['principals:read']],
    );
    assert.equal(Number(claims.exp) - Number(claims.iat), 300);
    const byForm = await stage.post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: await stage.sign({ ...githubClaims(), jti: 'another' }),
      delegation_id: delegation.delegationId,
      task_id: delegation.taskId,
    });
    assert.equal((await stage.claimsOf(byForm)).on_behalf_of, 'admin');
    assert.equal(claims.iss, issuer);
  });

  it('has one refusal for what is not of the agent, the task and the audience', async () => {
    const sign = async (jti: string) => stage.sign({ ...githubClaims(), jti });
    for (const wrong of [{ delegationId: 'no-such' }, { taskId: 'ticket-2' }])
      assert.deepEqual(
        await stage.refusalOf(await stage.exchange(await sign(JSON.stringify(wrong)), { ...delegation, ...wrong })),
        refusedExchange,
      );
    const alone = await stage.exchange(await sign('alone'), { taskId: task.taskId });
    assert.equal(alone.status, 400);
  });
});
