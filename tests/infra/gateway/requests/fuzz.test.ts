/** Requests with anything done to them: where the gateway sees one request, the service must see that one and no other. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { echoRoute, type TestedGateway } from '../../../support/gateway/gateway-services';
import { sendRawRequest, startHttpService } from '../../../support/http/http-service';

/** Request ids by the run that sent them: one that was cut off may be seen late. */
const seen = new Map<string, string[]>();
const recording = (method: 'get' | 'post'): ReturnType<typeof echoRoute> => ({
  ...echoRoute(method, '/v1/things', { scopes: [] }),
  handle: async ({ requestId, headers: { 'x-run': run = 'none' } }) => {
    seen.set(run, [...(seen.get(run) ?? []), requestId]);
    return { status: 200, body: {}, headers: { Position: '9' } };
  },
});

const body = '{"text":"a"}';
const inner = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
const kinds = {
  get: 'GET /v1/things HTTP/1.1\r\nHost: x\r\nTOKEN\r\n\r\n',
  post: `POST /v1/things HTTP/1.1\r\nHost: x\r\nTOKEN\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  chunks: `POST /v1/things HTTP/1.1\r\nHost: x\r\nTOKEN\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n${body}\r\n0\r\n\r\n`,
  hiding: `POST /v1/things HTTP/1.1\r\nHost: x\r\nTOKEN\r\nContent-Type: application/json\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
  hidingInChunks: `POST /v1/things HTTP/1.1\r\nHost: x\r\nTOKEN\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
};
const pieces = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\0',
    '\t',
    ' ',
    ':',
    ',',
    ';',
    '\x0b',
    '\x85',
    '0',
    '1',
    'f',
    '\r\n\r\n',
    '\n\n',
    '0\r\n\r\n',
  ],
  ...[
    '\r\nTransfer-Encoding: chunked',
    '\r\nTransfer-Encoding: identity',
    '\r\nContent-Length: 0',
    '\r\nContent-Length: 5',
  ],
  ...[
    '\r\nConnection: close',
    '\r\nConnection: upgrade\r\nUpgrade: h2c',
    '\r\nExpect: 100-continue',
    '\r\n folded',
    inner,
  ],
  ...[
    '\r\nSeptet-Identity: v1.e30.x',
    '\r\nConnection: Septet-Identity, Content-Length',
    ' HTTP/1.0',
    ' HTTP/0.9',
    '//',
    '%00',
  ],
];

type Change = readonly [kind: 'insert' | 'line' | 'cut' | 'repeat' | 'byte', at: number, length: number, piece: string];
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('insert', 'line', 'line', 'line', 'cut', 'repeat', 'byte'),
  fc.noBias(fc.integer({ min: 0, max: 999 })).map((share) => share / 1_000),
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom(...pieces),
);

const changed = (bytes: string, [kind, share, length, piece]: Change): string => {
  const ends = [...bytes.matchAll(/\r\n/g)].map(({ index }) => index);
  const at = kind === 'line' ? (ends[Math.floor(share * ends.length)] ?? 0) : Math.floor(share * bytes.length);
  const [before, touched, behind] = [bytes.slice(0, at), bytes.slice(at, at + length), bytes.slice(at + length)];
  if (kind === 'insert' || kind === 'line') return `${before}${piece}${touched}${behind}`;
  if (kind === 'repeat') return `${before}${touched}${touched}${behind}`;
  return kind === 'cut' ? before + behind : `${before}${String.fromCharCode(length * 19)}${touched.slice(1)}${behind}`;
};

const requests = fc
  .array(fc.constantFrom(...Object.values(kinds)), { minLength: 1, maxLength: 3 })
  .map((chosen) => chosen.join(''));

describe('the gateway between a stranger and a service', () => {
  let gateway: TestedGateway;
  let service: Awaited<ReturnType<typeof startHttpService>>;
  before(async () => {
    service = await startHttpService([jwksRoute, recording('get'), recording('post')]);
    const limits = { headersMilliseconds: 150, requestMilliseconds: 200 };
    gateway = await startGateway({ commandsPort: service.port, readApiPort: service.port, limits });
  });
  after(async () => {
    await gateway.close();
    await service.close();
  });

  const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const sent: number[] = [];
  const holds = async (bytes: string): Promise<void> => {
    const logged = service.log.lines.length;
    const run = sent.push(bytes.split('/v1/things').length - 1);
    const lines = `Authorization: Bearer ${gateway.token()}\r\nX-Run: ${run}.${run}`;
    const answer = await sendRawRequest(gateway.port, `${bytes}${last}`.replaceAll('TOKEN', lines));
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    assert.ok(
      statuses.every((status) => status < 500),
      answer,
    );
    // What the gateway did not mean as a request has no signature of its own.
    assert.deepEqual(service.log.lines.slice(logged), [], 'the service saw a request that the gateway did not send');
  };

  it('never lets the two see different requests', async function () {
    this.timeout(90_000);
    const property = fc.asyncProperty(requests, fc.array(change, { minLength: 1, maxLength: 3 }), (given, changes) =>
      holds(changes.reduce(changed, given)),
    );
    await fc.assert(property, { seed: 42, numRuns: 500 });
    assert.deepEqual(
      gateway.log.lines.filter(({ level }) => level === 'error'),
      [],
    );
    const ids = [...seen.values()].flat();
    assert.equal(new Set(ids).size, ids.length, 'a request reached the service twice');
    // The number is there twice, so that one which was changed is not taken for another.
    for (const [at, most] of sent.entries())
      assert.ok((seen.get(`${at + 1}.${at + 1}`) ?? []).length <= most, `more than was sent in run ${at + 1}`);
    assert.ok(ids.length > 50, `${ids.length} were understood`);
    assert.equal((await gateway.call('/v1/things')).status, 200);
  });
});
