/** A person with an authorization code for an application, and the resulting events. */
import assert from 'node:assert/strict';
import { authorizationRequest, codeOf, jsonOf, startWithSignedInPerson } from '../authorization/fixture';

export const assertRefused = async (answer: Promise<Response>, error: string): Promise<void> => {
  const response = await answer;
  assert.equal((await jsonOf(response)).error, error);
  assert.equal(response.status, error === 'temporarily_unavailable' ? 503 : 400);
  assert.equal(response.headers.get('cache-control'), 'no-store');
};

export const useIssuedCode = () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  let code: string;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    code = await codeOf(stage.authorize(authorizationRequest(), stage.browser));
  });
  afterEach(() => stage.close());

  const grantEvents = async (): Promise<readonly string[]> => {
    const types: string[] = [];
    for await (const { stream, type } of stage.store.readAll({ after: null }))
      if (stream.startsWith('identity.grant-')) types.push(type.split('.')[1] ?? '');
    return types;
  };
  return { stage: () => stage, code: () => code, grantEvents };
};
