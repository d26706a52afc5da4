/** Reserves the given user, and holds it until this process is killed. */
import { reserveUser } from '../../../packages/sandbox/src/sandbox-users';

const uid = Number(process.argv[2]);

void reserveUser(() => uid).then((reserved) => process.send?.({ uid: reserved?.uid }));
// Keeps the process running.
process.on('message', () => undefined);
