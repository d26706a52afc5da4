/** The check as a process of its own: a corrupt database may end the process that reads it. */

import { checkAll } from './check-all';
import { CorruptionError } from './corruption-error';

const send = (message: object): void => void process.send?.(message);

const formatCorruption = (error: unknown): string => {
  if (error instanceof CorruptionError) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return `Damage in the database itself: ${text.replaceAll(/\s+/g, ' ')}`;
};

if (require.main === module) {
  process.once('disconnect', () => process.exit(1));
  checkAll(process.argv[2] ?? '', (step, done, total) => send({ kind: 'step', step, done, total })).then(
    (walked) => send(walked === undefined ? { kind: 'nothing' } : { kind: 'walked', walked }),
    (error: unknown) => send({ kind: 'damaged', damage: formatCorruption(error) }),
  );
}
