/** Exports and imports inside this process: what the verbs do, without a program's start. */
import { exportLog } from '../../../../packages/eventstore-node/src/transfer/export-log';
import { openLog } from '../../../../packages/eventstore-node/src/transfer/format/exported-log';
import { importLog } from '../../../../packages/eventstore-node/src/transfer/import-log';
import { openServer } from '../../../../packages/eventstore-node/src/transfer/server/connection';
import { openTarget } from '../../../../packages/eventstore-node/src/transfer/server/import-target';

const progress = (): void => undefined;

async function* inOneBlock(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** The lines of the server's log. */
export const exportFrom = async (url: string, { system = false } = {}): Promise<string> => {
  const server = openServer(url);
  const blocks: string[] = [];
  const write = async (text: string): Promise<void> => void blocks.push(text);
  try {
    await exportLog(server, { write }, { from: undefined, system, progress });
  } finally {
    await server.close();
  }
  return blocks.join('');
};

export const importInto = async (url: string, lines: string): Promise<void> => {
  const server = openServer(url);
  try {
    const target = await openTarget(server);
    await importLog(target, await openLog(inOneBlock(lines)), { system: false, progress }).finally(target.close);
  } finally {
    await server.close();
  }
};
