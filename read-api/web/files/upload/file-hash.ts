/** The SHA-256 of a file, by a worker of the page. */
import { openWorker } from '../../kernel/worker';

/** The browser gives no other reason: the file was moved, changed, or may not be read. */
export class FileUnreadable extends Error {}

interface HashAnswer {
  readonly sha256?: string;
}

export const fileHashOf = (file: File, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const worker = openWorker('sha256');
    const end = (): void => {
      signal.removeEventListener('abort', abort);
      worker.terminate();
    };
    const fail = (reason: unknown): void => {
      end();
      reject(reason);
    };
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
      if (data.sha256 === undefined) return fail(new FileUnreadable());
      end();
      resolve(data.sha256);
    };
    worker.onerror = () => fail(new FileUnreadable());
    worker.postMessage(file);
  });
