/** Sends verified bodies to S3. */
import { Readable } from 'node:stream';
import { type ExpectedBody, rechunk, verifyBody } from '../body-verification';

/** As the SDK takes it. */
export interface RequestBody {
  readonly Body: Uint8Array | Readable;
  readonly ContentLength: number;
}

export interface BodySending {
  readonly sent: RequestBody;
  /** In hexadecimal; undefined when it is known only at the body's end. */
  readonly sha256: string | undefined;
  readonly options: CallOptions;
}

type Send<Result> = (sending: BodySending) => Promise<Result>;
type SentWith<Result> = Promise<{ readonly result: Result; readonly sha256: string }>;

export interface CallOptions {
  readonly abortSignal?: AbortSignal;
}

/** The SDK leaves its listeners on a signal: on one of the call's own they go with the call. */
export const callOptions = (...signals: readonly (AbortSignal | undefined)[]): CallOptions => {
  const present = signals.filter((signal) => signal !== undefined);
  return present.length === 0 ? {} : { abortSignal: AbortSignal.any(present) };
};

const sendBytes = async <Result>(announced: ExpectedBody, bytes: Uint8Array, send: Send<Result>): SentWith<Result> => {
  const measured = verifyBody(announced);
  // Verifies the announced size and hash before anything is sent.
  for await (const _chunk of measured.chunks);
  const sha256 = measured.sha256();
  const sent = { Body: bytes, ContentLength: announced.size };
  return { result: await send({ sent, sha256, options: callOptions(announced.signal) }), sha256 };
};

/** Where a checksum follows the body, each chunk goes out with a header, and S3 takes none of less than 8 KiB. */
const minChunkBytes = 128 * 1024;

interface Failing {
  readonly failed: (error: unknown) => void;
  readonly over: Promise<void>;
}

/** The SDK does not notice a failed body: the stream stops instead, and the request is aborted before its last bytes. */
async function* standingStill(chunks: AsyncIterable<Buffer>, { failed, over }: Failing): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    failed(error);
    await over;
  }
}

const sendStream = async <Result>(announced: ExpectedBody, send: Send<Result>): SentWith<Result> => {
  const measured = verifyBody(announced);
  const [failure, over] = [new AbortController(), new AbortController()];
  const whenOver = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  const chunks = standingStill(rechunk(measured.chunks, minChunkBytes), {
    failed: (error) => failure.abort(error),
    over: whenOver,
  });
  const body = Readable.from(chunks, { objectMode: false });
  try {
    const sent = { Body: body, ContentLength: announced.size };
    const sha256 = announced.sha256?.toLowerCase();
    const result = await send({ sent, sha256, options: callOptions(failure.signal, announced.signal) });
    return { result, sha256: measured.sha256() };
  } catch (error) {
    throw failure.signal.reason ?? error;
  } finally {
    over.abort();
    body.destroy();
  }
};

/** Such a body is hashed in one go and can be resent when an answer is lost; a larger one would block the event loop. */
const maxBytesAtOnce = 1024 * 1024;

export const sendBody = <Result>(announced: ExpectedBody, send: Send<Result>): SentWith<Result> => {
  const { body } = announced;
  const isSmall = body instanceof Uint8Array && body.length <= maxBytesAtOnce;
  return isSmall ? sendBytes(announced, body, send) : sendStream(announced, send);
};

export const base64Of = (sha256: string): string => Buffer.from(sha256, 'hex').toString('base64');
