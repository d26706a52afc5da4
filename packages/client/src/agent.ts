/** An agent that acts for a person: holds a delegation, gets attenuated tokens, and has what needs it approved by a person before it does it once. */

import { type AuthorizedFetch, createAuthorizedFetch } from './authorization/authorized-fetch';
import { type ClientCredentials, clientCredentials } from './authorization/client-credentials';
import { type Dpop, isDpopAvailable, openDpop } from './authorization/dpop';
import { createTokenSource } from './authorization/token-source';
import type { Client } from './client';
import { connect } from './connect';
import type { Approval } from './generated/types';
import { resolveBaseUrl, type TokenProvider } from './options';
import { defaultPlatform } from './platform';

export interface AgentOptions extends Omit<ClientCredentials, 'delegation' | 'dpop' | 'headers'> {
  readonly delegation: { readonly delegationId: string; readonly taskId: string };
  /** The API that the delegation is for, by its URL; by default Septet's. */
  readonly audience?: string;
  /** Binds tokens and capabilities to a key; by default to a new one, where the platform has Web Crypto. `none`: bearer tokens. */
  readonly dpop?: Dpop | 'none';
}

/** A request of the API. With a body it is JSON. */
export interface AgentRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  readonly body?: unknown;
}

export interface PerformOptions {
  /** Shown to the person who approves. */
  readonly reason: string;
  /** Called when a person has to approve. */
  readonly waiting?: (approval: { readonly approvalId: string; readonly expiresAt: string }) => void;
  /** Withdraws the request for approval. */
  readonly signal?: AbortSignal;
}

/** No person approved. */
export class ApprovalRefusedError extends Error {
  override readonly name = 'ApprovalRefusedError';
  readonly kind = 'approval-refused';
  readonly approval: Approval;

  constructor(approval: Approval) {
    const { status, endReason } = approval;
    super(status === 'PENDING' ? 'No person decided in time.' : `${status.toLowerCase()}: ${endReason ?? ''}`);
    this.approval = approval;
  }
}

export interface Agent {
  /** Of Septet's API, with the agent's attenuated tokens, which it renews before they expire. */
  readonly client: Client;
  readonly token: TokenProvider;
  /** Sends a request to the API of `audience` with a token for it, as clients of other protocols expect a `fetch`, such as those of MCP. */
  readonly fetch: AuthorizedFetch;
  /** Sends the request to Septet's API; where the policy requires it, a person approves exactly it first. Rejects with `ApprovalRefusedError`. */
  readonly perform: (request: AgentRequest, options: PerformOptions) => Promise<Response>;
}

/** Shorter than an attempt of the client may take. */
const waitSeconds = 8;

const isStepUpRequired = async (answer: Response): Promise<boolean> => {
  if (answer.status !== 403) return false;
  const problem: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return (problem as { readonly code?: unknown } | undefined)?.code === 'STEP_UP_REQUIRED';
};

const isOver = ({ status, expiresAt }: Approval): boolean =>
  status !== 'PENDING' || Date.parse(expiresAt) <= Date.now();

const decisionOn = async (client: Client, approvalId: string, signal: AbortSignal | undefined): Promise<Approval> => {
  for (;;) {
    const { body: approval } = await client.getApproval({ approvalId, waitSeconds });
    if (isOver(approval)) return approval;
    if (signal?.aborted !== true) continue;
    await client.withdrawApproval({ approvalId, body: { reason: 'The agent no longer waits.' } });
    throw signal.reason;
  }
};

/** Audiences without an address are Septet's own. */
const originOf = (audience: string | undefined, base: string): string =>
  new URL(audience !== undefined && URL.canParse(audience) ? audience : base).origin;

const proofsOf = (dpop: AgentOptions['dpop']): Dpop | undefined => {
  if (dpop === 'none' || (dpop === undefined && !isDpopAvailable())) return undefined;
  return dpop ?? openDpop();
};

export const openAgent = ({ dpop: chosen, ...options }: AgentOptions): Agent => {
  const dpop = proofsOf(chosen);
  const bound = dpop === undefined ? {} : { authorize: dpop.authorize };
  const token = clientCredentials(dpop === undefined ? options : { ...options, dpop });
  const base = resolveBaseUrl(options.baseUrl);
  const { fetch: send = defaultPlatform().fetch, audience } = options;
  const client = connect({ ...options, token, ...bound });
  const tokens = createTokenSource({ token, ...bound });
  const authorizedFetch = createAuthorizedFetch(tokens, { origin: originOf(audience, base), send });
  const attempt = (
    { method, target, body }: AgentRequest,
    { capability, signal }: { readonly capability?: string; readonly signal: AbortSignal },
  ): Promise<Response> => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(capability === undefined ? {} : { 'septet-capability': capability }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return authorizedFetch(`${base}${target}`, { method, headers, signal, ...content });
  };
  return {
    client,
    token,
    fetch: authorizedFetch,
    perform: async (request, { reason, waiting, signal = new AbortController().signal }) => {
      const answer = await attempt(request, { signal });
      if (!(await isStepUpRequired(answer))) return answer;
      const { method, target, body } = request;
      const action = { method, target, reason, ...(body === undefined ? {} : { body }) };
      const { body: requested } = await client.requestApproval({ body: action });
      waiting?.(requested);
      const approval = await decisionOn(client, requested.approvalId, signal);
      if (approval.status !== 'APPROVED') throw new ApprovalRefusedError(approval);
      const { body: issued } = await client.issueCapability({ approvalId: requested.approvalId });
      return attempt(request, { capability: issued.capability, signal });
    },
  };
};
