/** Loaded before each process: the one that services share crashes while CRASH_FILE is there, but not before it is ready. */
import { existsSync } from 'node:fs';

const file = process.env.CRASH_FILE;
const send = process.send?.bind(process);
if (file !== undefined && send !== undefined && process.argv[1]?.includes('launch/services.main')) {
  const crash = (): void => {
    if (existsSync(file)) throw new Error('a defect of one service');
  };
  process.send = (message: { readonly kind?: string }): boolean => {
    if (message.kind === 'ready') setInterval(crash, 100);
    return send(message);
  };
}
