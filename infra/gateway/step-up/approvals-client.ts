/** The command API's approvals, as the gateway uses them: a capability is used up there, on the log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Log } from '../../ports/runtime/log';
import { type Problem, problemOf } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { parseJson } from '../../server/http/untrusted-json';
import { type CommandApiOptions, callCommandApi } from '../bff/command-api-client';
import { gatewayProblems } from '../problems';

export interface CapabilityUse {
  readonly approvalId: string;
  readonly secret: string;
  readonly actionHash: string;
  readonly requestId: string;
  readonly policyVersion: number;
}

export interface ApprovalsClient {
  /** Right: this request, and no other, may go on. */
  readonly consume: (identity: Identity, use: CapabilityUse) => Promise<Either<Problem, undefined>>;
  /** Records the answer of an action, for its audit record. */
  readonly answered: (tenantId: string, answer: ActionAnswer) => Promise<void>;
}

export interface ActionAnswer extends Pick<CapabilityUse, 'approvalId' | 'requestId'> {
  readonly status: number;
}

/** No token has this type. */
const gatewayIdentity = (tenantId: string): Identity => ({
  ...{ tenantId, principalId: 'gateway', principalType: 'SERVICE', scopes: [], tokenId: 'gateway' },
});

const headers = { 'content-type': 'application/json' };

const codeIn = (bytes: Uint8Array): unknown => {
  const content = parseJson(bytes);
  return isLeft(content) ? undefined : (content.right as { readonly code?: unknown } | null)?.code;
};

const refused = (code: 'capability-invalid' | 'capability-spent', detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, gatewayProblems));

const invalid = () =>
  refused('capability-invalid', 'The capability is not valid for this request: it is for one action of one agent.');

const attempts = 3;
const pauseMilliseconds = 1_000;

export const createApprovalsClient = (options: CommandApiOptions, log: Pick<Log, 'error'>): ApprovalsClient => {
  const post = (
    path: string,
    { tenantId, requestId, body }: { readonly tenantId: string; readonly requestId: string; readonly body: object },
  ) =>
    callCommandApi(
      options,
      { requestId, address: '' },
      { method: 'POST', path, headers, body: JSON.stringify(body), identity: gatewayIdentity(tenantId) },
    );
  return {
    consume: async ({ tenantId, principalId: agentId, keyThumbprint = null, clientId = null, tokenId: jti }, use) => {
      const { approvalId, ...rest } = use;
      const { requestId } = use;
      const body = { ...rest, agentId, keyThumbprint, clientId, jti };
      const answer = await post(`/v1/approvals/${approvalId}/consume`, { tenantId, requestId, body });
      if (isLeft(answer)) return answer;
      if (answer.right.status === 200) return right(undefined);
      return codeIn(answer.right.bytes) === 'capability-spent'
        ? refused('capability-spent', 'The capability was used already.')
        : invalid();
    },
    answered: async (tenantId, { approvalId, requestId, status }) => {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const request = { tenantId, requestId, body: { requestId, status } };
        const answer = await post(`/v1/approvals/${approvalId}/answer`, request);
        if (!isLeft(answer) && answer.right.status === 200) return;
        await sleep(attempt * pauseMilliseconds, undefined, { ref: false });
      }
      log.error({ approvalId, requestId, status }, 'the answer of an approved action is not in its audit record');
    },
  };
};
