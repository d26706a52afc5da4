/** The way to models through a gateway that is a process of its own, and ends in the middle of an answer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Policy } from '../../../../packages/ratelimit/src/policy/policy';
import {
  contentEvent,
  type FakeModels,
  respondWithUsage,
  sseEvent,
  startEventStream,
  startFakeModels,
  usageFields,
} from '../../../support/gateway/fake-models';
import { startStreamProcesses } from '../../../support/processes/stream-processes';
import { valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { messages, tokens, unrefilledBucket } from './fixture';

const policy: Policy = { version: 'test', defaults: [tokens(unrefilledBucket)] };

describe('the way to models, when the gateway ends', () => {
  let models: FakeModels;
  let processes: Awaited<ReturnType<typeof startStreamProcesses>>;
  before(async () => {
    models = await startFakeModels();
    const { url: REDIS_URL } = await valkeyForTests();
    const env = { REDIS_URL, MODELS_URL: models.url, MODELS_KEY: 'account', MODELS_POLICY: JSON.stringify(policy) };
    processes = await startStreamProcesses(env);
  });
  after(async () => {
    await processes.close();
    await models.close();
  });

  const send = (tenant: string, body: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${processes.port}/llm/v1/chat/completions`, {
      method: 'POST',
      headers: {
        ...processes.headers({ tenant_id: tenant, scopes: ['models:use'] }),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'm', messages, ...body }),
    });
  /** Sends a request whose charge is returned, and answers the remaining tokens before it. */
  const left = async (tenant: string): Promise<number> => {
    models.answers(respondWithUsage(usageFields(0, 0)));
    const { status, headers } = await send(tenant, { max_tokens: 0 });
    assert.equal(status, 200);
    return Number(headers.get('x-ratelimit-remaining-tokens')) + 10;
  };
  /** An answer that has begun, and how it goes on. */
  const begun = async (tenant: string) => {
    let to: ServerResponse | undefined;
    models.answers((response) => {
      startEventStream(response).write(contentEvent('Hello'));
      to = response;
    });
    const answer = await send(tenant, { max_tokens: 1_000, stream: true });
    assert.ok(answer.body !== null && to !== undefined);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader.read()).value ?? '', /Hello/);
    return { reader, to };
  };

  it('lets an answer come to its end when it is to end, and settles it', async () => {
    const tenant = randomUUID();
    const { reader, to } = await begun(tenant);
    const restarted = processes.parts.gateway.restart('SIGTERM');
    to.end(`${sseEvent({ choices: [], usage: usageFields(20, 30) })}${sseEvent('[DONE]')}`);
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    assert.match(text, /DONE/);
    await restarted;
    await eventually(async () => assert.equal(await left(tenant), 100_000 - 50));
  });
  it('leaves charged what was reserved when it is killed', async () => {
    const tenant = randomUUID();
    const { reader } = await begun(tenant);
    const restarted = processes.parts.gateway.restart('SIGKILL');
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    });
    await restarted;
    await eventually(async () => assert.equal(await left(tenant), 100_000 - 1_010));
  });
});
