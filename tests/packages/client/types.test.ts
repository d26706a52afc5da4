/** What compiles and what does not: `npm run check:types` fails where an expected error is none. */
import assert from 'node:assert/strict';
import {
  type ApiResponse,
  type BodyOf,
  type Client,
  type CodeOf,
  connect,
  type InputOf,
  isProblem,
  isRefusalOf,
  type Principal,
  type SecurityEvent,
} from '../../../packages/client/src';

/** Never called: the compiler reads it. */
const samples = async (client: Client): Promise<void> => {
  const { body, position } = await client.registerPrincipal({ body: { principalType: 'HUMAN' } });
  const id: string = body.principalId;
  const place: string | undefined = position;
  // @ts-expect-error: a word that is none of the list.
  await client.registerPrincipal({ body: { principalType: 'ROBOT' } });
  // @ts-expect-error: a body is needed.
  await client.registerPrincipal({});
  // @ts-expect-error: an input is needed.
  await client.registerPrincipal();
  // @ts-expect-error: fields that the route does not know.
  await client.suspendPrincipal({ principalId: id, body: { reason: 'x' }, force: true });
  await client.suspendPrincipal({ principalId: id, body: { reason: 'x' } }, { ifMatch: 'W/"1"', idempotencyKey: 'k' });
  // @ts-expect-error: what has no key takes none.
  await client.replayDeadLetter({ jobId: '1' }, { idempotencyKey: 'k' });
  // @ts-expect-error: ids are texts.
  await client.replayDeadLetter({ jobId: 1 });
  // @ts-expect-error: there is no such operation.
  await client.deleteEverything();

  const found: ApiResponse<Principal> = await client.getPrincipal({ principalId: id });
  const created: string = found.body.createdAt;
  // @ts-expect-error: dates are texts.
  const date: Date = found.body.createdAt;
  const perhaps = await client.getPrincipal({ principalId: id }, { ifNoneMatch: 'W/"1"' });
  // @ts-expect-error: it may be unchanged, and then there is no body.
  const status: string = perhaps.body.status;
  const narrowed: string | undefined = perhaps.status === 304 ? undefined : perhaps.body?.status;

  await client.listPlatformViews();
  // @ts-expect-error: it has no parameters.
  await client.listPlatformViews({ limit: 4 });
  const page = await client.listPrincipals();
  const next: string | null = page.body.next_cursor;
  for await (const { principalId } of client.listPrincipals.items({ status: 'ACTIVE' })) assert.ok(principalId);
  // @ts-expect-error: a filter that is none.
  client.listPrincipals.items({ state: 'ACTIVE' });

  for await (const event of client.followSecurityEvents({ severity: 'SEV-1' }, { transport: 'websocket' })) {
    const data: SecurityEvent = event.data;
    // @ts-expect-error: events are read only.
    event.data = data;
  }
  // @ts-expect-error: there are two ways only.
  client.followSecurityEvents({}, { transport: 'carrier-pigeon' });

  const input: InputOf<'forgetSubject'> = { body: { subject: 's', reason: 'asked-for' } };
  const one: BodyOf<'followSecurityEvents'>['type'] = 'PrincipalSuspended';
  assert.ok([place, created, date, status, narrowed, next, input, one]);
};

const codes = (error: unknown): string | undefined => {
  if (isProblem(error, 'principal-unknown', 'forbidden')) {
    const code: 'principal-unknown' | 'forbidden' = error.code;
    return code;
  }
  if (!isRefusalOf(error, 'suspendPrincipal')) return undefined;
  const code: CodeOf<'suspendPrincipal'> = error.code;
  // @ts-expect-error: not a code of this operation.
  if (error.code === 'bootstrap-code-wrong') return code;
  return error.code === 'revision-differs' || error.code === 'token_revoked' ? code : undefined;
};

describe('client: types', () => {
  it('have every operation of the table', () => {
    const client: Client = connect({ baseUrl: 'http://septet.test' });
    assert.ok(typeof client.registerPrincipal === 'function' && typeof client.listPrincipals.items === 'function');
    for (const compiled of [samples, codes]) assert.equal(typeof compiled, 'function');
    // So that it is not taken for a promise.
    assert.equal('then' in client, false);
  });
});
