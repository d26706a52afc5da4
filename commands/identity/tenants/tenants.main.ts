/** `npm run tenants`: registers a tenant at the machine and prints the code of its first administrator. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import { tenant } from '../../../domain/identity/tenant/decider';
import { TenantName, tenantStream } from '../../../domain/identity/tenant/events';
import { decode, type Instant } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { printLine, readCommand, refuseCommand, runTool, stop } from '../../../infra/server/runtime/command-line';
import { commandSet } from '../../../packages/command-line/src/index';
import { noCommandMetrics } from '../../kernel/command-metrics';
import { handle } from '../../kernel/handle';
import { openKeyedLog } from '../composition/keyed-log';
import { prepareTenant } from './prepare-tenant';

export const program = commandSet({
  name: 'npm run tenants --',
  about: 'Registers tenants on the machine itself.',
  commands: {
    add: {
      about:
        'Registers a tenant and prints the sign-in code of its first administrator. The code works once, within seven days. Until it is used, the same command prints another one, and the one before is void.',
      arguments: [{ name: 'tenant-id', about: 'lower-case letters, digits and dashes, up to 63' }],
      options: { name: { type: 'string', value: 'NAME', required: true, about: 'what people call it' } },
    },
  },
  notes: [
    'Septet must be running. DATA_DIR names its data directory (default: .data); its master key must be readable, or MASTER_KEY set.',
  ],
});

const main = async (): Promise<void> => {
  const { command: verb, arguments: given, options } = readCommand(program);
  const tenantId = given['tenant-id'];
  if (!TenantId.is(tenantId))
    return refuseCommand(program, verb, '<tenant-id> has lower-case letters, digits and dashes, up to 63.');
  const named = decode(TenantName, options.name);
  if (isLeft(named)) return refuseCommand(program, verb, `--name must be ${named.left[0]?.expected}.`);
  const name = named.right;
  const { store, kms } = await openKeyedLog();
  const commandId = randomUUID();
  const at = new Date().toISOString() as Instant;
  const prepared = await prepareTenant({ store, kms }, { tenantId, name, commandId, at });
  if (isLeft(prepared)) return stop(prepared.left.detail, 1);
  const { command, code } = prepared.right;
  const handled = await handle({ store, commandMetrics: noCommandMetrics, clock: { now: () => at } }, tenant, {
    stream: tenantStream(tenantId),
    commandId,
    correlationId: commandId,
    tenant: tenantId,
    actor: `tenants:${userInfo().username}`,
    command,
  });
  await store.close();
  if (isLeft(handled)) return stop(handled.left.detail, 1);
  printLine(`First sign-in code: ${code}`);
  printLine(`It works once, until ${command.expiresAt}, at /sign-in/first and POST /v1/bootstrap.`);
};

if (require.main === module) runTool(main);
