/**
 * A tenant with one repository of workflows, whose client outlives faults of the system: its token is fresh, and a request without an answer is
 * sent again under the same key.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JobId, RunId, TriggerEventId } from '../../../domain/workflow/ids';
import { runIdOf } from '../../../domain/workflow/start-runs-on-trigger-received/process';
import { openTenant, renewMilliseconds } from '../identity/tenant';
import type { System } from '../processes/running-system';
import { pauseAfter } from '../waiting/eventually';
import { commitFiles, gitWorks } from './git-client';

export interface TenantAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RunAnswer {
  readonly runId: RunId;
  readonly status: string;
  readonly attempt: number;
  readonly jobs: readonly {
    readonly jobId: JobId;
    readonly name: string;
    readonly status: string;
    readonly attempt: number;
  }[];
}

interface LogPage {
  readonly chunks: readonly { readonly chunkOffset: number; readonly text: string; readonly emittedAt: string }[];
  readonly nextOffset: number;
  readonly complete: boolean;
}

export interface PatientTenantOptions {
  readonly system: System;
  /** For its checkout. */
  readonly home: string;
  /** Workflow files by their names, without `.yml`; pushed to `main` before any of them is there, so that the push starts nothing. */
  readonly workflows: { readonly [name: string]: string };
}

const answerMilliseconds = 20_000;

export const ends: ReadonlySet<string> = new Set(['success', 'failure', 'canceled', 'timed_out', 'skipped']);

export const openPatientTenant = async ({ system, home, workflows }: PatientTenantOptions) => {
  const { tenantId, adminToken, administrator } = await openTenant(system);
  const { clientId, clientSecret } = administrator;
  let token = adminToken;
  let renewedAt = performance.now();
  const request = async (path: string, init: RequestInit): Promise<TenantAnswer | undefined> => {
    try {
      const answer = await fetch(`${system.url}${path}`, { ...init, signal: AbortSignal.timeout(answerMilliseconds) });
      const text = await answer.text();
      if (answer.status >= 500 || answer.status === 429) return undefined;
      return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as TenantAnswer['body']) : {} };
    } catch {
      return undefined;
    }
  };
  const renew = async (): Promise<void> => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const issued = await request('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
    if (issued?.status !== 200) return;
    token = String(issued.body.access_token);
    renewedAt = performance.now();
  };
  /** Until it is answered. A refusal of the token is not an answer: it may be of a service that does not know its key yet. */
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TenantAnswer> => {
    const key = randomUUID();
    const began = Date.now();
    for (;;) {
      if (performance.now() - renewedAt > renewMilliseconds) await renew();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
      const answer = await request(path, {
        method,
        headers: method === 'GET' ? { authorization: headers.authorization } : headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (answer !== undefined && answer.status !== 401) return answer;
      if (answer?.status === 401) await renew();
      await pauseAfter(Date.now() - began);
    }
  };
  const succeed = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
  ): Promise<TenantAnswer['body']> => {
    const answer = await send(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const { id, clone_url: cloneUrl } = await succeed('POST', '/v1/workflow/repositories', { name: 'storefront' });
  const repoId = String(id);
  const checkout = join(home, `checkout-${tenantId}`);
  mkdirSync(checkout);
  await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
  /** Commits the files and pushes `main`. Answers the commit. */
  const push = async (files: { readonly [path: string]: string }): Promise<string> => {
    const commitSha = await commitFiles(checkout, files);
    const url = new URL(String(cloneUrl));
    Object.assign(url, { username: 'ada', password: token });
    await gitWorks(checkout, 'push', '--quiet', url.href, 'main');
    return commitSha;
  };
  const files = Object.entries(workflows).map(([name, text]) => [`.github/workflows/${name}.yml`, text] as const);
  const commitSha = await push(Object.fromEntries(files));

  /** Of the workflows that run on pushes to the branch, in the order of their files. The repository needs no such branch. */
  const begin = async (branch: string, count = 1): Promise<readonly RunId[]> => {
    const event = { eventType: 'push', branch, commitSha, actorId: 'ada' };
    const { eventId, accepted } = await succeed('POST', `/repos/${repoId}/events`, event);
    assert.equal(accepted, true);
    return Array.from({ length: count }, (_, index) => runIdOf(eventId as TriggerEventId, index));
  };
  /** Undefined while the view does not show it yet. */
  const runOf = async (runId: RunId): Promise<RunAnswer | undefined> => {
    const answer = await send('GET', `/actions/runs/${runId}`);
    if (answer.status === 404) return undefined;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as unknown as RunAnswer;
  };
  const logOf = async (jobId: JobId, attempt: number) => {
    const chunks: LogPage['chunks'][number][] = [];
    for (let from = 0; ; ) {
      const answer = await send('GET', `/actions/jobs/${jobId}/logs?attempt=${attempt}&fromOffset=${from}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const page = answer.body as unknown as LogPage;
      chunks.push(...page.chunks);
      if (page.nextOffset === from || page.complete)
        return {
          text: chunks.map(({ text }) => text).join(''),
          offsets: chunks.map(({ chunkOffset }) => chunkOffset),
          /** By the runner's clock, in milliseconds since 1970. */
          times: chunks.map(({ emittedAt }) => Date.parse(emittedAt)),
          isComplete: page.complete,
        };
      from = page.nextOffset;
    }
  };
  const registrationToken = async (): Promise<string> =>
    String((await succeed('POST', '/v1/workflow/runner-tokens')).token);
  const limitConcurrency = (jobs: number): Promise<unknown> =>
    succeed('PUT', '/v1/workflow/organization', { plan: 'team', concurrency_limit: jobs });

  return {
    tenantId,
    repoId,
    commitSha,
    succeed,
    push,
    begin,
    runOf,
    logOf,
    registrationToken,
    limitConcurrency,
    url: system.url,
    token: () => token,
    renew,
    cancel: (runId: RunId) => send('POST', `/actions/runs/${runId}/cancel`),
    retry: (runId: RunId, mode: 'all' | 'failed') => send('POST', `/actions/runs/${runId}/retry`, { mode }),
  };
};

export type PatientTenant = Awaited<ReturnType<typeof openPatientTenant>>;
