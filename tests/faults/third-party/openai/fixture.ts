/** OpenAI's client before the real gateway, which counts in a real Redis for a service that is none. */
import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { createLimiter, type PolicyLimiter } from '../../../../packages/ratelimit/src/decision/limiter';
import type { Rule } from '../../../../packages/ratelimit/src/policy/policy';
import { openRedisStore } from '../../../../packages/ratelimit/src/redis/redis-store';
import { respondWithUsage, usageFields } from '../../../support/gateway/fake-models';
import { startModelsGateway } from '../../../support/gateway/models-gateway';
import { valkeyForTests } from '../../../support/servers/shared-servers';

/** Full, and as good as never filled again: what is used stays used while a test looks. */
export const unrefilledBucket: Rule['limit'] = {
  algorithm: 'token-bucket',
  limit: 1,
  burst: 100_000,
  periodMilliseconds: 86_400_000,
};
export const tokens = (limit: Rule['limit'], orphan: Rule['orphan'] = 'keep'): Rule => {
  return { name: 'tokens', by: ['tenant'], limit, cost: { unit: 'tokens' }, orphan, onStoreError: 'deny' };
};
/** Ten tokens, as they are estimated. */
export const messages = [{ role: 'user' as const, content: 'Is it so?' }];

const closing: (() => Promise<void>)[] = [];

export const closeAll = async (): Promise<void> => {
  for (const close of closing.splice(0).reverse()) await close();
};

export const openStore = async () => {
  const store = openRedisStore(await valkeyForTests());
  closing.push(store.close);
  return store;
};

export const limiterOf = async (rules: readonly Rule[], milliseconds = 600_000): Promise<PolicyLimiter> => {
  const policy = { version: 'test', defaults: rules };
  const counted = { store: await openStore(), namespace: randomUUID() };
  const limiter = createLimiter({ policy, ...counted, reservationMilliseconds: milliseconds });
  closing.push(limiter.close);
  return limiter;
};

/** With all the responses that it gets, also the retried ones that the client hides. */
export const clientOf = async (...rules: readonly Rule[]) => {
  const gateway = await startModelsGateway({ limiter: await limiterOf(rules) });
  closing.push(gateway.close);
  const answers: Pick<Response, 'status' | 'headers'>[] = [];
  const client = new OpenAI({
    baseURL: gateway.baseUrl,
    apiKey: gateway.bearer(),
    fetch: async (...parameters) => {
      const answer = await fetch(...parameters);
      answers.push({ status: answer.status, headers: answer.headers });
      return answer;
    },
  });
  const statuses = (): readonly number[] => answers.splice(0).map(({ status }) => status);
  return { client, gateway, models: gateway.models, answers, statuses };
};

export type ModelClient = Awaited<ReturnType<typeof clientOf>>;

export const requestCompletion = ({ client }: ModelClient, most = 100) =>
  client.chat.completions.create({ model: 'm', messages, max_tokens: most });

/** Sends a request without cost, and reads the remaining tokens of its answer. */
export const remainingTokens = async ({ client, answers, models }: ModelClient): Promise<number> => {
  models.answers(respondWithUsage(usageFields(0, 0)));
  await client.embeddings.create({ model: 'm', input: [], encoding_format: 'float' }).asResponse();
  return Number(answers.at(-1)?.headers.get('x-ratelimit-remaining-tokens'));
};
