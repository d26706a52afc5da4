/** The ledger of quotas, with a count that the test sets. */
import * as t from 'io-ts';
import { startHttpService } from '../../../support/http/http-service';

export interface Recorded {
  readonly tenant: string;
  readonly amount: number;
}

const route = { path: '/v1/ratelimit/usage', summary: 'Usage.', answers: { 200: { description: 'It.' } } } as const;

export const startUsageLog = async (used: number) => {
  const recorded: Recorded[] = [];
  const { url, close } = await startHttpService([
    {
      ...route,
      method: 'post',
      operation: 'recordUsage',
      access: { scopes: ['ratelimit:record'] },
      body: t.unknown as never,
      handle: async ({ identity, body }) => {
        const { quotas } = body as { readonly quotas: readonly { readonly amount: number }[] };
        for (const { amount } of quotas) recorded.push({ tenant: identity.tenantId, amount });
        return { status: 200, body: {}, headers: { Position: '1' } };
      },
    },
    {
      ...route,
      method: 'get',
      operation: 'listUsage',
      access: { scopes: ['ratelimit:read'] },
      query: t.unknown as never,
      handle: async () => ({ status: 200, body: { items: [{ used }], next_cursor: null } }),
    },
  ]);
  return { url, recorded, close };
};
