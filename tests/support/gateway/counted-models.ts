/** The gateway before a model service, and what callers have used of their tokens so far. */
import assert from 'node:assert/strict';
import { createLimiter } from '../../../packages/ratelimit/src/decision/limiter';
import type { Policy, Rule } from '../../../packages/ratelimit/src/policy/policy';
import { memoryStore } from '../../../packages/ratelimit/src/store/memory-store';
import { eventually } from '../waiting/eventually';
import { startModelsGateway } from './models-gateway';

/** Full, and as good as never filled again: what is used is still used when the test looks. */
const lasting = (burst: number): Rule['limit'] => ({
  algorithm: 'token-bucket',
  limit: 1,
  burst,
  periodMilliseconds: 86_400_000,
});
const policy: Policy = {
  version: 'test',
  defaults: [
    { name: 'requests', by: ['tenant'], limit: lasting(1_000), onStoreError: 'deny' },
    {
      name: 'tokens',
      by: ['tenant'],
      limit: lasting(100_000),
      cost: { unit: 'tokens', outputWhenUnknown: { default: 500 } },
      onStoreError: 'deny',
    },
    {
      name: 'under way',
      by: ['tenant'],
      limit: { algorithm: 'concurrency', limit: 5, leaseMilliseconds: 600_000 },
      cost: { unit: 'concurrent-requests' },
      onStoreError: 'deny',
    },
  ],
};
export const chatRequest = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(385) }], max_tokens: 1_000 };
/** 385 bytes of text and 15 around it, and what a message costs. */
export const chatRequestTokens = 104;

export const startCountedModels = async () => {
  const limiter = createLimiter({ policy, store: memoryStore() });
  const gateway = await startModelsGateway({ limiter });
  const used = async (): Promise<number> => {
    const { limits } = await limiter.peek({
      dimensions: { tenant: 'acme' },
      weight: { inputTokens: 0, outputTokens: 1 },
    });
    return 100_000 - (limits.find(({ unit }) => unit === 'tokens')?.remaining ?? Number.NaN) - 1;
  };
  return {
    ...gateway,
    chat: (changes: object = {}, init: RequestInit = {}) =>
      gateway.send('/v1/chat/completions', { ...chatRequest, ...changes }, init),
    /** Settled a moment after the answer is over. */
    costs: async (act: () => Promise<unknown>, tokens: number): Promise<void> => {
      const before = await used();
      await act();
      await eventually(async () => assert.equal((await used()) - before, tokens));
    },
    close: async () => {
      await gateway.close();
      await limiter.close();
    },
  };
};

export const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text();
