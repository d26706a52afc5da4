/** Requests that two readers would cut in different places. None may reach a service, nor hide one that does. */
import assert from 'node:assert/strict';
import { assertRefused, head, hidden, raw, registration, registrationsAt, type Stage, statusesIn } from './fixture';

type Attack = readonly [name: string, lines: readonly string[], body: (stage: Stage) => string];

const length = `Content-Length: ${registration.length}`;
const chunked = 'Transfer-Encoding: chunked';
const inChunks = `${registration.length.toString(16)}\r\n${registration}\r\n0\r\n\r\n`;
const plain = (): string => registration;
const chunks = (): string => inChunks;
const lastChunkThenHidden = (stage: Stage): string => `0\r\n\r\n${hidden(stage)}`;

const framing: readonly Attack[] = [
  ['CL.TE', ['Content-Length: 6', chunked], lastChunkThenHidden],
  ['TE.CL', [chunked, 'Content-Length: 4'], chunks],
  ['TE.TE', [chunked, 'Transfer-Encoding: identity'], lastChunkThenHidden],
  ['a coding that is chunked twice', [chunked, chunked], chunks],
  ['a coding behind chunked', ['Transfer-Encoding: chunked, gzip'], chunks],
  ['an unknown coding', ['Transfer-Encoding: xchunked'], chunks],
  ['a quoted coding', ['Transfer-Encoding: "chunked"'], chunks],
  ['a coding with a form feed', ['Transfer-Encoding: \x0cchunked'], chunks],
  ['a coding on a line of its own', ['Transfer-Encoding:\r\n chunked'], chunks],
  ['a coding with a space in front of the colon', ['Transfer-Encoding : chunked'], lastChunkThenHidden],
  ['a tab in front of the colon', ['Content-Length\t: 5'], plain],
  ['a line that begins with a space', [' Transfer-Encoding: chunked'], lastChunkThenHidden],
  ['two lengths', [length, 'Content-Length: 5'], plain],
  ['one length twice', [length, length], plain],
  ['a list of lengths', ['Content-Length: 5, 5'], plain],
  ['a signed length', [`Content-Length: +${registration.length}`], plain],
  ['a negative length', ['Content-Length: -1'], plain],
  ['a hexadecimal length', ['Content-Length: 0x1c'], plain],
  ['a length with an exponent', ['Content-Length: 1e1'], plain],
  ['a length beyond numbers', ['Content-Length: 99999999999999999999'], plain],
  ['a length of many pieces', ['Content-Length: 2 8'], plain],
  ['a length and a NUL', [`${length}\0`], plain],
  ['a bare line feed in a header', ['X-One: 1\nContent-Length: 5'], plain],
  ['a bare carriage return in a header', ['X-One: 1\rContent-Length: 5'], plain],
  ['a NUL in a header', ['X-One: \0', length], plain],
  ['a header without a name', [': x', length], plain],
  ['a header without a colon', ['x', length], plain],
];

const lying: readonly Attack[] = [
  ['a chunk of a negative size', [chunked], () => `-1\r\n${registration}\r\n0\r\n\r\n`],
  ['a chunk whose size is written as 0x', [chunked], () => `0x5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk larger than numbers', [chunked], (stage) => `FFFFFFFFFFFFFFFFF\r\n${hidden(stage)}`],
  ['a chunk shorter than it says', [chunked], (stage) => `3\r\n${registration}\r\n0\r\n\r\n${hidden(stage)}`],
  ['a chunk that ends with a line feed', [chunked], (stage) => `0\n\n${hidden(stage)}`],
  ['an extension with a line feed', [chunked], (stage) => `5;a=\nhello\r\n0\r\n\r\n${hidden(stage)}`],
  ['a size without digits', [chunked], () => `\r\n${registration}\r\n0\r\n\r\n`],
  ['an endless extension', [chunked], () => `5;${'a'.repeat(40_000)}\r\nhello\r\n0\r\n\r\n`],
  ['endless trailers', [chunked], () => `0\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`],
];

export const smuggling = (stage: () => Stage): void => {
  for (const [name, lines, body] of [...framing, ...lying])
    it(`refuses ${name}`, async () => {
      await assertRefused(stage(), `${head(stage(), ...lines)}\r\n${body(stage())}`);
    });

  it('takes a body in chunks for what it is, and none with trailers', async () => {
    const before = await registrationsAt(stage());
    const trailers = 'Septet-Identity: v1.e30.x\r\nX-Forwarded-For: 1.2.3.4\r\nAuthorization: Bearer x\r\n';
    const body = inChunks.replace(/\r\n$/, `${trailers}\r\n`);
    const send = (text: string) => raw(stage().port, `${head(stage(), chunked, 'Connection: close')}\r\n${text}`);
    assert.deepEqual(statusesIn(await send(body)), [400]);
    assert.equal(await registrationsAt(stage()), before);
    assert.deepEqual(statusesIn(await send(inChunks)), [201]);
    assert.equal(await registrationsAt(stage()), before + 1);
  });

  it('does nothing of what follows on a connection that it said it would end', async () => {
    const refused = (length: number): string => head(stage(), `Content-Length: ${length}`, 'Origin: a', 'Origin: b');
    await assertRefused(stage(), `${refused(5)}\r\n${hidden(stage())}${hidden(stage())}`);
    await assertRefused(stage(), `${refused(0)}\r\n${hidden(stage())}${hidden(stage())}`);
  });

  it('says nothing that would be taken for the answer to an earlier request', async () => {
    const before = await registrationsAt(stage());
    const answer = await raw(stage().port, `${hidden(stage())}no HTTP at all\r\n\r\n`);
    assert.ok(!answer.includes('400 Bad Request'), answer);
    assert.ok((await registrationsAt(stage())) <= before + 1);
  });

  it('answers pipelined requests one by one, each once', async () => {
    const before = await registrationsAt(stage());
    const last = hidden(stage()).replace('Host:', 'Connection: close\r\nHost:');
    const answer = await raw(stage().port, `${hidden(stage()).repeat(30)}${last}`);
    assert.deepEqual(statusesIn(answer), Array(31).fill(201));
    assert.equal(await registrationsAt(stage()), before + 31);
  });
};
