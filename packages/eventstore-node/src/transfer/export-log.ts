/** Exports the log of a server as lines of JSON. */

import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { syncPath } from '../../../data-directory/src/files';
import { encodeEventLine } from './format/event-line';
import { encodeHeader, encodeTrailer } from './format/header';
import type { Server } from './server/connection';
import { type ReadServerOptions, readServer } from './server/read-log';
import { TransferError } from './transfer-error';

export interface Sink {
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
}

export interface ExportResult {
  readonly events: number;
  /** The position of the last event; null when there was none. */
  readonly lastPosition: number | null;
}

const blockLength = 128 * 1024;

/** Lines are written together: a write for each would take longer than producing the line. */
const createLineBuffer = (sink: Sink) => {
  let lines: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const text = `${lines.join('\n')}\n`;
    [lines, length] = [[], 0];
    await sink.write(text);
  };
  return {
    flush,
    add: (line: string): Promise<void> | undefined => {
      lines.push(line);
      length += line.length;
      return length < blockLength ? undefined : flush();
    },
  };
};

export const exportLog = async (
  server: Server,
  sink: Sink,
  { progress, ...readOptions }: ReadServerOptions & { readonly progress: (events: number) => void },
): Promise<ExportResult> => {
  const { from = null, system } = readOptions;
  const out = createLineBuffer(sink);
  const madeAt = new Date().toISOString();
  await out.add(encodeHeader({ source: await server.version(), madeAt, from, system }));
  let events = 0;
  let lastPosition: number | null = null;
  for await (const event of readServer(server, readOptions)) {
    const full = out.add(encodeEventLine(event));
    if (full !== undefined) await full;
    events += 1;
    lastPosition = event.position;
    progress(events);
  }
  await out.add(encodeTrailer(events));
  await out.flush();
  return { events, lastPosition };
};

/** Writes to a new file, which gets its name once it is complete and is removed when `fill` throws. */
export const toFile = async <Result>(path: string, fill: (sink: Sink) => Promise<Result>): Promise<Result> => {
  if (existsSync(path)) throw new TransferError(`${path} is there already: an export overwrites nothing.`);
  const partial = `${path}.partial-${process.pid}`;
  const file = await open(partial, 'wx', 0o600);
  try {
    const result = await fill({ write: (text) => file.appendFile(text) });
    await file.sync();
    renameSync(partial, path);
    syncPath(dirname(resolve(path)));
    return result;
  } finally {
    await file.close();
    rmSync(partial, { force: true });
  }
};

/** Writes to standard output. A reader that goes away ends the export. */
export const toOutput = <Result>(output: NodeJS.WriteStream, fill: (sink: Sink) => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    output.once('error', (error) => reject(new TransferError(`The export is not read to its end: ${error.message}.`)));
    const write = async (text: string): Promise<void> => {
      if (!output.write(text)) await once(output, 'drain');
    };
    fill({ write }).then(resolve, reject);
  });
