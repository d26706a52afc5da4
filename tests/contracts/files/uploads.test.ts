/** Completing an upload through the gateway: many times at once, again, too early, with a wrong checksum, and after it was deleted. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { contentOf, openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Session {
  readonly fileId: string;
  readonly versionId: string;
  readonly uploadUrl: string;
  readonly uploadHeaders: Readonly<Record<string, string>>;
}

const content = Buffer.from('The notice period is three months.\n');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const checksum = sha256(content);
const wrong = sha256(Buffer.from('other bytes'));

describe('an upload that is completed', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  after(() => system.close());

  const begin = (): Promise<Session> =>
    contentOf<Session>(
      tenant.send('POST', '/v1/files/upload-sessions', {
        ...{ filename: `${randomUUID()}.txt`, mimeType: 'text/plain', sizeBytes: content.length },
      }),
    );
  const put = ({ uploadUrl, uploadHeaders }: Session, bytes = content): Promise<Response> =>
    fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: bytes });
  const stored = async (): Promise<Session> => {
    const session = await begin();
    assert.equal((await put(session)).status, 200);
    return session;
  };
  const complete = async ({ fileId, versionId }: Session, checksumSha256: unknown = checksum) => {
    const path = `/v1/files/${fileId}/versions/${versionId}/complete`;
    const answer = await tenant.send('POST', path, { checksumSha256 });
    const body = (await answer.json()) as { readonly code?: string; readonly status?: unknown };
    return { status: answer.status, code: body.code, body };
  };
  const statusOf = ({ fileId }: Session) =>
    contentOf<{ readonly status: string; readonly errorCode: string | null }>(
      tenant.read(`/v1/files/${fileId}/status`),
    );
  const untilStatus = (session: Session, expected: string) =>
    eventually(async () => assert.equal((await statusOf(session)).status, expected));

  it('twenty times at once, is completed once', async () => {
    const session = await stored();
    const answers = await Promise.all(Array.from({ length: 20 }, () => complete(session)));
    for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
    await untilStatus(session, 'READY');
    const again = await complete(session);
    assert.deepEqual([again.status, (await statusOf(session)).status], [200, 'READY']);
    const versions = await contentOf<{ readonly items: readonly unknown[] }>(
      tenant.read(`/v1/files/${session.fileId}/versions`),
    );
    assert.equal(versions.items.length, 1);
  });

  it('with two checksums at once, is completed with one of them alone', async () => {
    const session = await stored();
    const checksums = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? checksum : wrong));
    const answers = await Promise.all(checksums.map((one) => complete(session, one)));
    const taken = new Set(answers.flatMap(({ status }, at) => (status === 200 ? [checksums[at]] : [])));
    assert.equal(taken.size, 1, JSON.stringify(answers));
    const refused = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([409]), JSON.stringify(refused));
    assert.equal(refused.length, 10);
    await untilStatus(session, taken.has(checksum) ? 'READY' : 'FAILED');
  });

  it('with a wrong checksum, fails with its code, and with no other checksum afterwards', async () => {
    const session = await stored();
    assert.equal((await complete(session, wrong)).status, 200);
    await untilStatus(session, 'FAILED');
    assert.equal((await statusOf(session)).errorCode, 'CHECKSUM_MISMATCH');
    assert.equal((await complete(session)).status, 409);
    assert.equal((await complete(session, wrong)).status, 200);
  });

  it('before its bytes are there, is refused, and may be completed once they are', async () => {
    const session = await begin();
    const early = await Promise.all(Array.from({ length: 5 }, () => complete(session)));
    assert.deepEqual(
      early.map(({ status, code }) => [status, code]),
      Array.from({ length: 5 }, () => [409, 'file-incomplete']),
    );
    assert.ok((await put(session, Buffer.from('too short'))).status >= 400);
    assert.equal((await complete(session)).status, 409);
    const [, ...answers] = await Promise.all([put(session), ...Array.from({ length: 10 }, () => complete(session))]);
    for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status));
    assert.equal((await complete(session)).status, 200);
    assert.equal((await put(session)).status, 412, 'a stored file is not replaced');
    await untilStatus(session, 'READY');
  });

  it('with what is no checksum, is refused with the field', async () => {
    const session = await stored();
    for (const bad of ['', 'abc', `${checksum}00`, 7, null]) {
      const { status, body } = await complete(session, bad);
      assert.equal(status, 400);
      assert.match(JSON.stringify(body), /checksumSha256/);
    }
    const other = await complete({ ...session, versionId: randomUUID() });
    assert.equal(other.status, 404);
  });

  it('after the file was deleted, is refused', async () => {
    const session = await stored();
    const answers = await Promise.all([
      tenant.send('DELETE', `/v1/files/${session.fileId}`, {}),
      ...Array.from({ length: 5 }, () => complete(session)),
    ]);
    assert.equal(answers[0].status, 200);
    assert.equal((await complete(session)).status, 404);
  });
});
