/** What tests of refresh tokens begin with, and what they read of answers and of the log. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../../../infra/ports/event-store';
import { jsonOf } from '../../command-api';
import { openProcess, openShared, registerApplication, registerPerson, startProcess } from '../../grants/fixture';

/** A person, an application of that authentication, and the token endpoint. */
export const startRefresh = async (authentication: 'none' | 'client_secret_post' = 'none') => {
  const shared = openShared();
  await registerPerson(shared);
  const clientId = await registerApplication(shared, 'app', { authentication });
  const process = await startProcess(openProcess(shared));
  return { shared, clientId, process };
};

export type Stage = Awaited<ReturnType<typeof startRefresh>>;

export const eventsIn = async ({ shared }: Pick<Stage, 'shared'>, stream: string): Promise<readonly StoredEvent[]> => {
  const read = await shared.store.read(stream);
  if (isLeft(read)) throw new Error('the log is away');
  return read.right;
};
export const typesIn = async (stage: Pick<Stage, 'shared'>, stream: string): Promise<readonly string[]> =>
  (await eventsIn(stage, stream)).map(({ type }) => type);

/** The successor that an answer holds. */
export const nextRefreshToken = async (answer: Response | Promise<Response>): Promise<string> => {
  const body = await jsonOf(answer);
  assert.equal(typeof body.refresh_token, 'string', JSON.stringify(body));
  return body.refresh_token as string;
};

export const claimsOf = (token: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** The code of an answer that refuses. */
export const errorCodeOf = async (answer: Response | Promise<Response>): Promise<unknown> => {
  const response = await answer;
  assert.equal(response.status, 400);
  return (await jsonOf(response)).error;
};
