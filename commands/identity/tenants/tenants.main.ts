/** `npm run tenants`: registers a tenant at the machine and prints the code of its first administrator. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import { tenant } from '../../../domain/identity/tenant/decider';
import { TenantName, tenantStream } from '../../../domain/identity/tenant/events';
import { decode, type Instant } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { parseArguments, printLine, runTool, stop } from '../../../infra/server/runtime/command-line';
import { noCommandMetrics } from '../../kernel/command-metrics';
import { handle } from '../../kernel/handle';
import { openKeyedLog } from '../composition/keyed-log';
import { prepareTenant } from './prepare-tenant';

const usage = `Usage: npm run tenants -- add <tenant id> --name <name>
       registers a tenant and prints a code, which works once, for seven days: with it the tenant's first administrator signs in.
       Until someone has, the same command prints another code, and the earlier one is void. An id has small letters, digits and dashes.
       Septet has to run; DATA_DIR names its directory (.data), and its master key has to be readable, or MASTER_KEY set.`;

const main = async (): Promise<void> => {
  const { values, positionals } = parseArguments({ name: { type: 'string' } }, usage);
  const [verb, tenantId, ...more] = positionals;
  if (verb !== 'add' || more.length > 0) return stop(usage, 2);
  if (!TenantId.is(tenantId)) return stop(`An id has small letters, digits and dashes, 63 at most.\n${usage}`, 2);
  const named = decode(TenantName, values.name);
  if (isLeft(named)) return stop(`Name the tenant: --name <name>, ${named.left[0]?.expected}.\n${usage}`, 2);
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

runTool(main);
