/** Bodies on their way to S3. */
import { Readable } from 'node:stream';
import { type Announced, inLargeChunks, measure } from './body';

/** As the SDK takes it. */
export interface Sent {
  readonly Body: Uint8Array | Readable;
  readonly ContentLength: number;
}

export interface Sending {
  readonly sent: Sent;
  /** In hexadecimal; undefined when only the end of the body will tell. */
  readonly sha256: string | undefined;
  readonly abortSignal: AbortSignal;
}

type Send<Result> = (sending: Sending) => Promise<Result>;
type SentWith<Result> = Promise<{ readonly result: Result; readonly sha256: string }>;

const never = new AbortController().signal;

const sendBytes = async <Result>(announced: Announced, bytes: Uint8Array, send: Send<Result>): SentWith<Result> => {
  const measured = measure(announced);
  // Held against what was announced before anything is sent.
  for await (const _chunk of measured.chunks);
  const sha256 = measured.sha256();
  const sent = { Body: bytes, ContentLength: announced.size };
  return { result: await send({ sent, sha256, abortSignal: announced.signal ?? never }), sha256 };
};

/** Where a checksum follows the body, each chunk goes out with a header, and S3 takes none of less than 8 KiB. */
const fewestInChunk = 128 * 1024;

interface Failing {
  readonly failed: (error: unknown) => void;
  readonly over: Promise<void>;
}

/** The SDK hears nobody when a body fails: it stands still instead, and the request is given up before its last bytes. */
async function* standingStill(chunks: AsyncIterable<Buffer>, { failed, over }: Failing): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    failed(error);
    await over;
  }
}

const sendStream = async <Result>(announced: Announced, send: Send<Result>): SentWith<Result> => {
  const measured = measure(announced);
  const [failure, over] = [new AbortController(), new AbortController()];
  const whenOver = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  const chunks = standingStill(inLargeChunks(measured.chunks, fewestInChunk), {
    failed: (error) => failure.abort(error),
    over: whenOver,
  });
  const body = Readable.from(chunks, { objectMode: false });
  const signals = announced.signal === undefined ? [failure.signal] : [failure.signal, announced.signal];
  try {
    const sent = { Body: body, ContentLength: announced.size };
    const sha256 = announced.sha256?.toLowerCase();
    const result = await send({ sent, sha256, abortSignal: AbortSignal.any(signals) });
    return { result, sha256: measured.sha256() };
  } catch (error) {
    throw failure.signal.reason ?? error;
  } finally {
    over.abort();
    body.destroy();
  }
};

export const sendBody = <Result>(announced: Announced, send: Send<Result>): SentWith<Result> =>
  announced.body instanceof Uint8Array ? sendBytes(announced, announced.body, send) : sendStream(announced, send);

export const base64Of = (sha256: string): string => Buffer.from(sha256, 'hex').toString('base64');
