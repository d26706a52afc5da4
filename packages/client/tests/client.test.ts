import assert from 'node:assert/strict';
import { connect, isProblem } from '../src/index';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

/** A gateway that sends these answers in order, and records its requests. */
const gateway = (...answers: readonly (() => Response)[]) => {
  const calls: Call[] = [];
  const fetchFrom = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = answers[calls.length];
    calls.push({ method: init.method ?? 'GET', path: new URL(url).pathname, headers: new Headers(init.headers) });
    return answer === undefined ? Response.error() : answer();
  };
  return { calls, client: connect({ baseUrl: 'https://septet.test', token: 'token', fetch: fetchFrom }) };
};

const registered = (): Response => Response.json({ principalId: 'p-1' }, { status: 201 });
const body = { principalType: 'HUMAN' } as const;

describe('the client, as a library', () => {
  it('sends a command again under its name when the answer is lost', async () => {
    const lost = (): Response => {
      throw new TypeError('connection lost');
    };
    const { calls, client } = gateway(lost, registered);
    const { body: answer } = await client.registerPrincipal({ body });
    assert.equal(answer.principalId, 'p-1');
    assert.deepEqual(
      calls.map(({ method, path }) => `${method} ${path}`),
      ['POST /v1/principals', 'POST /v1/principals'],
    );
    const [first, second] = calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.ok(first);
    assert.equal(first, second);
  });

  it('throws what the service says, by its code', async () => {
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'forbidden' };
    const refused = (): Response =>
      new Response(JSON.stringify(problem), {
        status: 403,
        headers: { 'content-type': 'application/problem+json' },
      });
    const { client } = gateway(refused);
    const error = await client.registerPrincipal({ body }).catch((thrown: unknown) => thrown);
    assert.ok(isProblem(error, 'forbidden'));
  });
});
