/** Requests that carry secrets where they belong and where they do not; good ones and ones that fail. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { signToken } from '../../../infra/adapters/blobs/local/signed-urls';
import type { Session } from '../system/harness/admin-session';
import { marker, type Secrets } from './secrets';

interface Asking {
  readonly session: Session;
  readonly secrets: Secrets;
  readonly port: number;
  /** What URLs of blobs are signed with. */
  readonly blobsKey: string;
}

/** A marker under the name of what it stands for. */
const noted = ({ secrets }: Asking, kind: string): string => {
  const value = marker();
  secrets.set(value, kind);
  return value;
};

const badHeaders = (asking: Asking): readonly Readonly<Record<string, string>>[] => {
  const jwt = [
    'eyJhbGciOiJFUzI1NiIsImtpZCI6IngifQ',
    Buffer.from(`{"sub":"${marker()}"}`).toString('base64url'),
    'AAAA',
  ];
  asking.secrets.set(jwt[1] as string, 'claims of a forged token');
  return [
    { authorization: `Bearer ${noted(asking, 'a bearer token')}` },
    { authorization: `Bearer ${jwt.join('.')}` },
    { authorization: `Basic ${Buffer.from(`user:${noted(asking, 'a basic password')}`).toString('base64')}` },
    { authorization: `DPoP ${noted(asking, 'a DPoP token')}`, dpop: noted(asking, 'a DPoP proof') },
    { authorization: noted(asking, 'a token without a scheme') },
    { cookie: `__Host-septet=${noted(asking, 'a cookie')}; session=${noted(asking, 'another cookie')}` },
    { 'septet-identity': `v1.${noted(asking, 'an identity header')}.AAAA` },
    { 'x-api-key': noted(asking, 'an API key') },
    { traceparent: `00-${noted(asking, 'a trace')}-x-01`, baggage: `password=${noted(asking, 'baggage')}` },
    { 'proxy-authorization': `Basic ${noted(asking, 'a proxy password')}` },
  ];
};

const badTargets = (asking: Asking): readonly string[] => [
  `/v1/principals?access_token=${noted(asking, 'a token in a query')}`,
  `/v1/principals/${noted(asking, 'a secret in a path')}`,
  `/v1/principals?cursor=${noted(asking, 'a cursor')}`,
  `/blobs/a/b?token=${noted(asking, 'a signed URL')}&signature=${noted(asking, 'a signature')}`,
  `/nothing/${noted(asking, 'a path that leads nowhere')}`,
  `/v1/streams/${noted(asking, 'a stream')}?ticket=${noted(asking, 'a ticket in a query')}`,
];

/** Refused requests about people, with values that the refusal might repeat. */
const badBodies = (asking: Asking): readonly (readonly [string, object])[] => [
  ['/v1/principals', { principalType: noted(asking, 'a value that is refused'), email: noted(asking, 'an address') }],
  ['/v1/principals', { [noted(asking, 'a name of a field')]: noted(asking, 'a value of a field') }],
  ['/v1/bootstrap', { code: noted(asking, 'a sign-in code') }],
  [`/v1/principals/${randomUUID()}/suspend`, { reason: noted(asking, 'a reason') }],
  ['/v1/privacy/forget', { subject: noted(asking, 'somebody to forget') }],
];

const badForms = (asking: Asking): readonly URLSearchParams[] => [
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'main.nobody.nothing',
    client_secret: noted(asking, 'a client secret'),
  }),
  new URLSearchParams({ grant_type: 'password', username: 'me', password: noted(asking, 'a password') }),
  new URLSearchParams({ grant_type: 'client_credentials', client_assertion: noted(asking, 'an assertion') }),
];

/** Bytes that are no request: what cannot be parsed might be logged as it is. */
const garbage = (asking: Asking): Promise<void> =>
  new Promise((resolve) => {
    const secret = noted(asking, 'a request that cannot be parsed');
    const socket = connect(asking.port, '127.0.0.1', () =>
      socket.end(`GET / HTTP/1.1\r\nAuthorization ${secret}\r\n\r\n`),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });

export const sendRefusedSecrets = async (asking: Asking): Promise<void> => {
  const { session } = asking;
  for (const headers of badHeaders(asking)) await session.send('GET', '/v1/principals', { headers });
  for (const target of badTargets(asking)) await session.send('GET', target);
  for (const [path, body] of badBodies(asking)) await session.send('POST', path, { body });
  for (const body of badForms(asking))
    await session.send('POST', '/oauth/token', { body, headers: { authorization: '' } });
  await garbage(asking);
};

/** A loopback address of this caller alone; the log records it as a personal field. */
const callersAddress = '127.9.8.7';

const tokenFrom = ({ port }: Asking, body: URLSearchParams): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const place = { host: '127.0.0.1', port, localAddress: callersAddress, path: '/oauth/token', method: 'POST' };
    const sent = request({ ...place, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('end', () => resolve(JSON.parse(text) as Record<string, unknown>));
    });
    sent.once('error', reject);
    sent.end(body.toString());
  });

/** One that is as good as any, for something that is not there. */
const signedUrl = ({ blobsKey }: Asking): string =>
  signToken(blobsKey, { method: 'GET', key: marker(), expires: Math.floor(Date.now() / 1_000) + 60 });

/** Secrets that are issued and used, each as its owner would. Answers their kinds. */
export const sendAcceptedSecrets = async (asking: Asking): Promise<readonly string[]> => {
  const { session, secrets } = asking;
  const kinds: string[] = [];
  const issue = (kind: string, value: unknown): string => {
    if (typeof value !== 'string' || value === '') return '';
    secrets.set(value, kind);
    kinds.push(kind);
    return value;
  };
  issue('access token', session.token());
  const principal = await session.send('POST', '/v1/principals', { body: { principalType: 'PIPELINE' } });
  const path = `/v1/principals/${String(principal?.body.principalId)}/credentials`;
  const issued = await session.send('POST', path, { body: { scopes: ['principals:read'] } });
  const client_secret = issue('client secret', issued?.body.clientSecret);
  const client_id = String(issued?.body.clientId);
  const headers = { authorization: '' };
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  issue('issued token', (await tokenFrom(asking, body)).access_token);
  issue('address', callersAddress);
  issue('ticket', (await session.send('POST', '/v1/streams/tickets'))?.body.ticket);
  const browser = { origin: 'http://septet.test', 'sec-fetch-site': 'same-origin', 'septet-console': '1', ...headers };
  const client = { clientId: client_id, clientSecret: client_secret };
  const signedIn = await session.send('POST', '/console/session', { body: client, headers: browser });
  issue('cookie', /=([^;]+)/.exec(signedIn?.headers.get('set-cookie') ?? '')?.[1]);
  await session.send('GET', `/blobs/${issue('signed URL', signedUrl(asking))}`);
  return kinds;
};
