import type { Client } from '../../../packages/client/src/index';

export const registerAgent = async (client: Client): Promise<string> =>
  (await client.registerPrincipal({ body: { principalType: 'AI_AGENT' } })).body.principalId;

/** All of the caller's tenant, page by page. */
export const principalIdsOf = async (client: Client): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { principalId } of client.listPrincipals.items({ limit: 7 })) ids.push(principalId);
  return ids;
};
