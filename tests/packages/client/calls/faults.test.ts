/** Whatever the network does with a command, and whatever comes back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isClientError } from '../../../../packages/client/src/index';
import { failure, json, principal, problem, type RecordedRequest, stage } from '../fixture';

const body = { principalType: 'AI_AGENT' } as const;

/** Performs a command once per key; later requests receive the first answer. */
const openServer = () => {
  const done = new Map<string, string>();
  const handle = ({ headers }: RecordedRequest): Response => {
    const key = headers.get('idempotency-key') ?? assert.fail('a command without a key');
    const principalId = done.get(key) ?? `p-${done.size + 1}`;
    done.set(key, principalId);
    return json(201, { principalId }, { position: String(done.size) });
  };
  return { done, handle };
};

const faults: Readonly<
  Record<string, (handle: (request: RecordedRequest) => Response) => (request: RecordedRequest) => Response>
> = {
  'lost on the way there': () => () => {
    throw new TypeError('fetch failed');
  },
  'lost on the way back': (handle) => (request) => {
    handle(request);
    throw new TypeError('terminated');
  },
  'cut in the middle': (handle) => (request) => {
    handle(request);
    const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    return new Response(cut, { status: 201, headers: { 'content-type': 'application/json' } });
  },
  'done, and not known': (handle) => (request) => {
    handle(request);
    return problem(503, 'event-store-ambiguous', { 'retry-after': '1' });
  },
  'not done': () => () => problem(503, 'service-unavailable', { 'retry-after': '1' }),
  'another caller was faster': () => () => problem(409, 'conflict', { 'retry-after': '1' }),
  'a proxy that lost its server': (handle) => (request) => {
    handle(request);
    return new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } });
  },
  'too many at once': () => () => problem(429, 'too-many-requests', { 'retry-after': '2' }),
  'an old token': () => () => problem(401, 'unauthenticated'),
};

describe('client: faults', () => {
  it('does every command once and knows its answer, over any five faults', async () => {
    const fault = fc.constantFrom(...Object.keys(faults));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fault, { maxLength: 5 }), { maxLength: 4 }), async (commands) => {
        const { done, handle } = openServer();
        const answers = commands.flatMap((one) => [...one.map((name) => faults[name]?.(handle) ?? handle), handle]);
        const options = {
          token: ({ refresh }: { readonly refresh: boolean }) => (refresh ? `${Math.random()}` : 'old'),
        };
        const { client } = stage(answers, options);
        const made: string[] = [];
        for (const one of commands) {
          // Two tokens are tried, not more.
          const isLost = one.filter((name) => name === 'an old token').length > 2;
          const answered = client.registerPrincipal({ body }, { timeoutMilliseconds: 600_000 });
          if (isLost) return void (await failure(answered));
          made.push((await answered).body.principalId);
        }
        assert.deepEqual(made, [...done.values()]);
        assert.equal(client.position(), made.length === 0 ? undefined : String(made.length));
      }),
    );
  });

  it('waits for what is not visible yet', async () => {
    const later = () => problem(503, 'not-yet-visible', { 'retry-after': '1' });
    const { client, requests, pauses } = stage([later(), later(), json(200, principal)]);
    assert.equal((await client.getPrincipal({ principalId: 'p-1' }, { minPosition: '9' })).body.status, 'ACTIVE');
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('min-position')),
      ['9', '9', '9'],
    );
    assert.deepEqual(pauses, [1_100, 1_200]);
  });

  it('answers with what was promised or with an error of its own, whatever comes', async () => {
    const status = fc.constantFrom(200, 201, 203, 204, 299, 301, 304, 400, 401, 404, 418, 500, 503, 599);
    const type = fc.constantFrom('application/json', 'application/problem+json', 'text/html', 'a/b; c', '');
    const content = fc.oneof(
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc.uint8Array(),
    );
    const odd = fc.constantFrom('__proto__', 'constructor', 'items', 'code', 'error', 'errors', 'next_cursor');
    const objects = fc.dictionary(odd, fc.jsonValue()).map((value) => new TextEncoder().encode(JSON.stringify(value)));
    await fc.assert(
      fc.asyncProperty(status, type, fc.oneof(content, objects), async (code, given, bytes) => {
        const empty = code === 204 || code === 304;
        const made = () =>
          new Response(empty ? null : new Uint8Array(bytes), { status: code, headers: { 'content-type': given } });
        for (const operation of ['listPrincipals', 'getSigningKeys', 'issueStreamTicket'] as const) {
          const { client } = stage([made()], { attempts: 1 });
          const outcome = await client[operation]().catch((error: unknown) => error);
          assert.ok(isClientError(outcome) || (typeof outcome === 'object' && outcome !== null && 'body' in outcome));
        }
      }),
    );
  });
});
