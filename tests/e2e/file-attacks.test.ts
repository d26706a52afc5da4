/** Attacks with files, their names, their addresses and guessed ids, through the real gateway of a running system; named after what they try. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { pdfOf, workbookOf, zipOf } from '../packages/file-readers/made-files';
import { documentOf } from '../packages/file-readers/made-office';
import { fixture } from '../packages/file-readers/read';
import { servedOperations } from '../support/http/served-operations';
import { type ClientCredential, contentOf, issueTokenTo, openTenant, type Tenant } from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';
import { requestsOf } from './authority-walk/requests';

interface Session {
  readonly fileId: string;
  readonly versionId: string;
  readonly uploadUrl: string;
  readonly uploadHeaders: Readonly<Record<string, string>>;
}
interface Processing {
  readonly status: string;
  readonly errorCode: string | null;
  readonly reason: string | null;
}

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A picture of black pixels, as its header claims. */
const pngOf = (width: number, height: number): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const entityBomb = (): Buffer =>
  zipOf([
    {
      name: '[Content_Types].xml',
      content: `<Types><Override PartName="/word/document.xml" ContentType="${docx}.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content:
        '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    },
    {
      name: 'word/document.xml',
      content: `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('&b;'.repeat(1_000))}</w:body></w:document>`,
    },
  ]);

interface Hostile {
  readonly what: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly content: () => Buffer;
  /** `READY` or the code with which it fails. */
  readonly ends: string;
}

const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

const hostile: readonly Hostile[] = [
  {
    what: 'entities that expand to a billion letters',
    ...{ filename: 'bomb.docx', mimeType: docx, content: entityBomb, ends: 'CORRUPT' },
  },
  {
    what: 'a part that unpacks to a thousand times its size',
    ...{ filename: 'blanks.docx', mimeType: docx, ends: 'ARCHIVE_BOMB' },
    content: () => documentOf({ body: `${paragraph('x')}${' '.repeat(60_000_000)}` }),
  },
  {
    what: 'archives in archives',
    ...{ filename: 'nested.docx', mimeType: docx, ends: 'UNSUPPORTED_TYPE' },
    content: () => {
      let inner = zipOf([{ name: 'zeros', content: Buffer.alloc(1_000_000) }]);
      for (let depth = 0; depth < 20; depth += 1)
        inner = zipOf(
          Array.from({ length: 8 }, (_, at) => ({ name: `${at}.zip`, content: inner, isStored: true })).slice(
            0,
            depth < 3 ? 8 : 1,
          ),
        );
      return inner;
    },
  },
  {
    what: 'a sheet that claims a million rows and has one in the last',
    ...{ filename: 'rows.xlsx', mimeType: xlsx, ends: 'READY' },
    content: () =>
      workbookOf({
        sheets: {
          Sheet1:
            '<dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>the last cell</t></is></c></row></sheetData>',
        },
      }),
  },
  {
    what: 'a page of fifty thousand megapixels without text',
    ...{ filename: 'huge.pdf', mimeType: 'application/pdf', ends: 'READY' },
    content: () => pdfOf({ pages: [{ media: [0, 0, 225_000, 225_000], text: '' }] }),
  },
  {
    what: 'a picture of fifty thousand megapixels',
    ...{ filename: 'huge.png', mimeType: 'image/png', ends: 'TOO_LARGE' },
    content: () => pngOf(250_000, 200_000),
  },
  {
    what: 'a program with the name of a page',
    ...{ filename: 'invoice.pdf', mimeType: 'application/pdf', ends: 'UNSUPPORTED_TYPE' },
    content: () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(4_000, 7)]),
  },
  {
    what: 'pages behind which an archive begins',
    ...{ filename: 'both.pdf', mimeType: 'application/pdf', ends: 'TYPE_MISMATCH' },
    content: () =>
      Buffer.concat([pdfOf({ pages: [{ text: 'A page and an archive' }] }), zipOf([{ name: 'a.exe', content: 'MZ' }])]),
  },
  {
    what: 'pages that claim to be text of the web',
    ...{ filename: 'page.html', mimeType: 'text/html', ends: 'TYPE_MISMATCH' },
    content: () => pdfOf({ pages: [{ text: '<script>alert(1)</script>' }] }),
  },
  {
    what: 'pages behind a password',
    ...{ filename: 'locked.pdf', mimeType: 'application/pdf', ends: 'ENCRYPTED' },
    content: () => readFileSync(fixture('pdf', 'r6-both-passwords.pdf')),
  },
  {
    what: 'the first half of a document',
    ...{ filename: 'half.docx', mimeType: docx, ends: 'CORRUPT' },
    content: () => {
      const whole = readFileSync(fixture('docx', 'tables.docx'));
      return whole.subarray(0, whole.length / 2);
    },
  },
  {
    what: 'the file by which scanners are tested',
    ...{ filename: 'eicar.txt', mimeType: 'text/plain', content: () => Buffer.from(eicar), ends: 'MALWARE' },
  },
];

describe('attacks with files, through the gateway', function () {
  this.timeout(300_000);
  let system: System;
  let tenant: Tenant;
  /** A principal of the tenant that nothing is shared with. */
  let other: { readonly principalId: string; readonly token: string };

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
    const made = tenant.send('POST', '/v1/principals', { principalType: 'PIPELINE' });
    const { principalId } = await contentOf<{ principalId: string }>(made);
    const scopes = ['files:read', 'files:write'];
    const credential = tenant.send('POST', `/v1/principals/${principalId}/credentials`, { scopes });
    other = { principalId, token: await issueTokenTo(system, await contentOf<ClientCredential>(credential)) };
  });
  after(() => system.close());

  const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
  const open = (file: { readonly filename: string; readonly mimeType: string; readonly sizeBytes: number }) =>
    tenant.send('POST', '/v1/files/upload-sessions', file);
  const put = ({ uploadUrl, uploadHeaders }: Session, content: Buffer, url = uploadUrl) =>
    fetch(url, { method: 'PUT', headers: uploadHeaders, body: new Uint8Array(content) });
  const complete = ({ fileId, versionId }: Session, checksumSha256: string) =>
    tenant.send('POST', `/v1/files/${fileId}/versions/${versionId}/complete`, { checksumSha256 });

  const upload = async (
    { filename, mimeType }: { readonly filename: string; readonly mimeType: string },
    content: Buffer,
    checksum = sha256(content),
  ): Promise<Session> => {
    const session = await contentOf<Session>(open({ filename, mimeType, sizeBytes: content.length }));
    assert.equal((await put(session, content)).status, 200);
    await contentOf(complete(session, checksum));
    return session;
  };
  const statusOf = async ({ fileId }: Session): Promise<Processing> =>
    contentOf<Processing>(tenant.read(`/v1/files/${fileId}/status`, { token: await tenant.freshToken() }));
  const endOf = async (session: Session): Promise<Processing> => {
    let last: Processing | undefined;
    await eventually(async () => {
      last = await statusOf(session);
      assert.ok(['READY', 'FAILED'].includes(last.status), JSON.stringify(last));
    });
    return last as Processing;
  };

  it('with content that was made to harm end with a code and a sentence, or ready, and the next file is read', async () => {
    const sessions: Session[] = [];
    for (const { filename, mimeType, content } of hostile)
      sessions.push(await upload({ filename, mimeType }, content()));
    const ends: string[] = [];
    for (const [at, session] of sessions.entries()) {
      const { status, errorCode, reason } = await endOf(session);
      const end = status === 'READY' ? status : errorCode;
      if (status === 'FAILED') assert.ok((reason ?? '').length > 10, `${hostile[at]?.what}: no reason`);
      ends.push(`${hostile[at]?.what}: ${end}`);
    }
    assert.deepEqual(
      ends,
      hostile.map(({ what, ends: end }) => `${what}: ${end}`),
    );
    const after = await upload({ filename: 'after.txt', mimeType: 'text/plain' }, Buffer.from('All is well.'));
    assert.equal((await endOf(after)).status, 'READY');
  });

  it('with bytes that are not those of the checksum fail, and of another size are refused', async () => {
    const content = Buffer.from('The bytes.');
    const lied = await upload(
      { filename: 'lied.txt', mimeType: 'text/plain' },
      content,
      sha256(Buffer.from('Others.')),
    );
    assert.equal((await endOf(lied)).errorCode, 'CHECKSUM_MISMATCH');
    const session = await contentOf<Session>(open({ filename: 'short.txt', mimeType: 'text/plain', sizeBytes: 100 }));
    assert.notEqual((await put(session, content)).status, 200);
    const answer = await complete(session, sha256(content));
    assert.equal(answer.status, 409, await answer.text());
  });

  it('with archives, programs, no bytes or too many are not begun', async () => {
    const refusal = async (file: Parameters<typeof open>[0]) => {
      const answer = await open(file);
      return [answer.status, ((await answer.json()) as { readonly code: string }).code];
    };
    const named = { filename: 'a.bin', mimeType: 'application/pdf' };
    assert.deepEqual(await refusal({ ...named, mimeType: 'application/zip', sizeBytes: 1 }), [
      415,
      'file-type-unsupported',
    ]);
    assert.deepEqual(await refusal({ ...named, sizeBytes: 500_000_001 }), [413, 'file-too-large']);
    for (const sizeBytes of [0, -1, 1.5, 2 ** 60])
      assert.ok([400, 413].includes((await refusal({ ...named, sizeBytes }))[0] as number));
    for (const filename of ['', ' ', 'a\u0000b', 'a\nb', `${'x'.repeat(256)}`])
      assert.deepEqual(
        await refusal({ ...named, filename, sizeBytes: 1 }),
        [400, 'invalid-input'],
        JSON.stringify(filename),
      );
  });

  it('with names that lead elsewhere are stored by id, and downloaded as attachments under a harmless name', async () => {
    const content = Buffer.from('<script>alert(document.domain)</script><svg onload="alert(1)"/>');
    for (const filename of [
      '../../../etc/passwd.html',
      'C:\\windows\\win.html',
      '<img src=x onerror=alert(1)>.html',
      'a";filename="b.html',
    ]) {
      const session = await upload({ filename, mimeType: 'text/html' }, content);
      assert.equal((await endOf(session)).status, 'READY', filename);
      const signed = await contentOf<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>(
        tenant.read(`/v1/files/${session.fileId}/content`),
      );
      assert.ok(!decodeURIComponent(new URL(signed.url).pathname).includes('passwd'), 'the key has no name');
      const download = await fetch(signed.url, { headers: signed.headers });
      assert.equal(download.status, 200);
      assert.deepEqual(Buffer.from(await download.arrayBuffer()), content);
      const disposition = download.headers.get('content-disposition') ?? '';
      assert.match(disposition, /^attachment; filename\*=UTF-8''[^"\\/;]*$/, disposition);
      assert.ok(!/%2F|%5C/i.test(disposition), disposition);
      assert.equal(download.headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('with names that are written backwards show what they are', async () => {
    const answer = await open({ filename: 'invoice\u202Efdp.exe', mimeType: 'application/pdf', sizeBytes: 1 });
    assert.equal(answer.status, 400, await answer.text());
  });

  it('with signed addresses: altered ones are refused, and what is stored is not replaced', async () => {
    const content = Buffer.from('The first bytes.');
    const session = await contentOf<Session>(
      open({ filename: 'once.txt', mimeType: 'text/plain', sizeBytes: content.length }),
    );
    const address = new URL(session.uploadUrl);
    // The key, the size, the time and the signature, wherever the store has them in its address.
    const changed = (text: string) => {
      const at = Math.floor(text.length / 2);
      return `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
    };
    const segments = address.pathname.split('/');
    for (const [at, segment] of segments.entries()) {
      if (segment.length < 16) continue;
      const altered = new URL(address);
      altered.pathname = segments.with(at, changed(segment)).join('/');
      assert.ok((await put(session, content, altered.href)).status >= 400, `another ${segment}`);
    }
    for (const [name, value] of address.searchParams) {
      const altered = new URL(address);
      altered.searchParams.set(name, changed(value));
      assert.ok((await put(session, content, altered.href)).status >= 400, `another ${name}`);
      altered.searchParams.delete(name);
      assert.ok((await put(session, content, altered.href)).status >= 400, `no ${name}`);
    }
    assert.ok((await put(session, Buffer.from('More bytes than were said.'))).status >= 400, 'another size');
    assert.equal((await put(session, content)).status, 200);
    assert.equal((await put(session, Buffer.from('The other bytes.'))).status, 412, 'replayed');
    await contentOf(complete(session, sha256(content)));
    assert.equal((await endOf(session)).status, 'READY');
    const read = await contentOf<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>(
      tenant.read(`/v1/files/${session.fileId}/content`),
    );
    assert.ok((await fetch(read.url, { method: 'PUT', body: content })).status >= 400, 'an address to read writes');
    assert.ok((await fetch(session.uploadUrl)).status >= 400, 'an address to write reads');
    assert.equal(await (await fetch(read.url, { headers: read.headers })).text(), content.toString());
  });

  it('by ids of no principal: files are not handed over or shared, and groups get no member', async () => {
    const session = await upload({ filename: 'given.txt', mimeType: 'text/plain' }, Buffer.from('Given away.'));
    const file = `/v1/files/${session.fileId}`;
    const folder = await contentOf<{ folderId: string }>(tenant.send('POST', '/v1/file-folders', { name: 'Given' }));
    const group = await contentOf<{ groupId: string }>(tenant.send('POST', '/v1/file-groups', { name: 'Given' }));
    const refused = async (method: string, path: string, body: object = {}) => {
      const answer = await tenant.send(method, path, body);
      const { code, errors } = (await answer.json()) as { code: string; errors?: readonly { pointer: string }[] };
      return [answer.status, code, errors?.[0]?.pointer];
    };
    const grant = { principalType: 'user', principalId: 'Ada', role: 'viewer' };
    const unknown = [422, 'principal-unknown'];
    for (const path of [file, `/v1/file-folders/${folder.folderId}`]) {
      assert.deepEqual(await refused('PUT', `${path}/owner`, { ownerId: 'Ada' }), [...unknown, '/body/ownerId']);
      assert.deepEqual(await refused('PUT', `${path}/owner`, { ownerId: 'Ada Lovelace' }), [
        ...[400, 'invalid-input'],
        '/body/ownerId',
      ]);
      assert.deepEqual(await refused('POST', `${path}/grants`, grant), [...unknown, '/body/principalId']);
    }
    const member = `/v1/file-groups/${group.groupId}/members/Ada`;
    assert.deepEqual(await refused('PUT', member), [...unknown, '/params/principalId']);
    assert.equal((await tenant.read(file)).status, 200);
    await contentOf(tenant.send('PUT', `${file}/owner`, { ownerId: other.principalId }));
    assert.equal((await tenant.read(file, { token: other.token })).status, 200);
  });

  it('by questions that are none, or too long, or of too many: refused with the place of what is wrong', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{}, '/body/query'],
      [{ query: '' }, '/body/query'],
      [{ query: 'x'.repeat(4_001) }, '/body/query'],
      [{ query: 'x', topK: 0 }, '/body/topK'],
      [{ query: 'x', topK: 101 }, '/body/topK'],
      [{ query: 'x', topK: 1.5 }, '/body/topK'],
      [{ query: 'x', mode: 'magic' }, '/body/mode'],
      [{ query: 'x', scope: { fileIds: 'all' } }, '/body/scope/fileIds'],
    ];
    for (const [body, pointer] of wrong) {
      const answer = await tenant.send('POST', '/v1/retrieval/search', body);
      const { code, errors } = (await answer.json()) as { code: string; errors: readonly { pointer: string }[] };
      assert.deepEqual([answer.status, code, errors.map((error) => error.pointer)], [400, 'invalid-input', [pointer]]);
    }
    for (const body of [
      { query: 'x', topK: 100 },
      { query: 'x '.repeat(2_000), topK: 1 },
    ])
      assert.equal((await tenant.send('POST', '/v1/retrieval/search', body)).status, 200);
  });

  it('with the idempotency key of another request: the first is answered again, another one refused', async () => {
    const begin = (filename: string) =>
      fetch(`${system.url}/v1/files/upload-sessions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.adminToken}`,
          'content-type': 'application/json',
          'idempotency-key': 'the-same-key',
        },
        body: JSON.stringify({ filename, mimeType: 'text/plain', sizeBytes: 5 }),
      });
    const first = await contentOf<Session>(begin('one.txt'));
    assert.equal((await contentOf<Session>(begin('one.txt'))).fileId, first.fileId);
    const answer = await begin('two.txt');
    const { code } = (await answer.json()) as { readonly code: string };
    assert.deepEqual([answer.status, code], [422, 'idempotency-key-reused']);
  });

  it('by guessed ids: each route answers another principal of the tenant as for what never was', async () => {
    const pdf = readFileSync(fixture('pdf', 'two-different-pages.pdf'));
    const { folderId } = await contentOf<{ folderId: string }>(
      tenant.send('POST', '/v1/file-folders', { name: 'Secret' }),
    );
    const session = await upload({ filename: 'secret-name.pdf', mimeType: 'application/pdf' }, pdf);
    await endOf(session);
    await contentOf(tenant.send('PUT', `/v1/files/${session.fileId}/folder`, { folderId }));
    const grant = { principalType: 'tenant', principalId: tenant.tenantId, role: 'viewer' };
    const never = { fileId: 'f'.repeat(32), folderId: 'e'.repeat(32) };
    const ids = {
      ...{ fileId: session.fileId, versionId: session.versionId, folderId },
      ...{ chunkId: 'c'.repeat(32), grantId: 'd'.repeat(32), fileGrantId: 'd'.repeat(32), part: '1' },
    };
    const inWalk = servedOperations.filter(({ path }) =>
      /^\/v1\/(?:files\/\{fileId\}|file-folders\/\{folderId\})/.test(path),
    );
    assert.ok(inWalk.length > 20, `${inWalk.length} routes`);
    const differing: string[] = [];
    for (const served of inWalk)
      for (const request of requestsOf(served, ids)) {
        const answerFor = async (known: typeof never) => {
          const withIds = (text: string) =>
            text.replaceAll(session.fileId, known.fileId).replaceAll(folderId, known.folderId);
          const answer = await fetch(`${system.url}${withIds(request.target)}`, {
            method: request.method,
            headers: {
              authorization: `Bearer ${other.token}`,
              ...(request.mediaType === undefined ? {} : { 'content-type': request.mediaType }),
            },
            ...(request.body === undefined ? {} : { body: withIds(request.body) }),
          });
          const { code, detail, errors } = (await answer.json()) as {
            code?: string;
            detail?: string;
            errors?: unknown;
          };
          return [answer.status, code, detail, errors];
        };
        const [real, unknown] = [await answerFor({ fileId: session.fileId, folderId }), await answerFor(never)];
        if (JSON.stringify(real) !== JSON.stringify(unknown) || (real[0] as number) < 400)
          differing.push(`${request.operation} ${request.variant}: ${JSON.stringify([real, unknown])}`);
      }
    assert.deepEqual(differing, []);
    const own = { fileIds: [session.fileId], folderIds: [folderId] };
    for (const scope of [undefined, {}, { fileIds: [], folderIds: [] }, own]) {
      const more = scope === undefined ? {} : { scope };
      const search = tenant.send('POST', '/v1/retrieval/search', { query: 'secret name pages', ...more }, other.token);
      const { results } = await contentOf<{ readonly results: readonly { readonly fileId: string }[] }>(search);
      assert.ok(!results.some(({ fileId }) => fileId === session.fileId), JSON.stringify(scope));
      const question = { question: 'What do the secret pages say?', ...more };
      const answer = await contentOf<object>(tenant.send('POST', '/v1/retrieval/answer', question, other.token));
      assert.ok(!JSON.stringify(answer).includes(session.fileId), JSON.stringify(scope));
    }
    // The folder is shared with the whole tenant: now it is found, so the answers above were not empty by chance.
    await contentOf(tenant.send('POST', `/v1/file-folders/${folderId}/grants`, grant));
    const answer = await tenant.read(`/v1/files/${session.fileId}`, { token: other.token });
    assert.equal(answer.status, 200, await answer.text());
  });
});
