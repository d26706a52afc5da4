/** A command as the account that servers run under, able to reach its files. */
import { readFileSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import { onPath } from '../../../../packages/sandbox/src/on-path';
import { missing } from '../../../adapters/programs/program-fault';
import type { Account } from '../../../adapters/programs/watchdog';
import type { ServerFault } from './local-server';
import { closedTo, serverAccount } from './server-account';

export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Undefined: the launcher's own account. */
  readonly account?: Account | undefined;
}

const readSearchBit = 1n << 2n;

const mayLend = (): boolean => {
  if (onPath('setpriv') === undefined) return false;
  try {
    const capabilities = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${capabilities}`) & readSearchBit) !== 0n;
  } catch {
    return false;
  }
};

/** Without `no_setuid_fixup`, access(2) would ignore the capability. */
const lend = ({ uid, gid }: Account, { program, arguments: rest }: Command): Command => ({
  program: 'setpriv',
  arguments: [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--securebits=+no_setuid_fixup'],
    ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+dac_read_search`),
    ...['--', program, ...rest],
  ],
});

/**
 * Where a directory on the way to a path is closed (a checkout under /root), the server is lent the one capability to read
 * through closed directories, and nothing else of root's. Left: neither is possible, in one line.
 */
export const runAsAccount = (command: Command, paths: readonly string[]): Either<ServerFault, Command> => {
  const account = serverAccount();
  if (account === undefined) return right(command);
  const closed = paths.map((path) => closedTo(account, path)).find((directory) => directory !== undefined);
  if (closed === undefined) return right({ ...command, account });
  if (mayLend()) return right(lend(account, command));
  return left(
    missing(
      'It does not run as root, and a directory on the way to it is closed to others: start as an ordinary user.',
      `chmod o+x ${closed} would open it`,
    ),
  );
};
