/** `npm run policy-off`: turns a tenant's access policy off at the machine, when it locks its administrators out. */
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { isLeft } from 'fp-ts/Either';
import { accessPolicy } from '../../../domain/identity/policy/decider';
import { accessPolicyStream } from '../../../domain/identity/policy/events';
import type { Instant } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import {
  faultOfReason,
  printLine,
  readArguments,
  refuseArguments,
  runTool,
  stop,
} from '../../../infra/server/runtime/command-line';
import { tool } from '../../../packages/command-line/src/index';
import { noCommandMetrics } from '../../kernel/command-metrics';
import { handle } from '../../kernel/handle';
import { openKeyedLog } from '../composition/keyed-log';

export const program = tool({
  name: 'npm run policy-off --',
  about:
    'Turns the access policy of a tenant off: scopes alone decide then. Gateways follow within a second. It is recorded, and alerts.',
  options: {
    reason: { type: 'string', value: 'TEXT', required: true, about: 'why, recorded with it; up to 500 characters' },
    tenant: { type: 'string', value: 'TENANT', default: 'main', about: 'the tenant of the policy' },
  },
  notes: [
    'Septet must be running. DATA_DIR names its data directory (default: .data); its master key must be readable, or MASTER_KEY set.',
  ],
});

const main = async (): Promise<void> => {
  const { reason, tenant: tenantId } = readArguments(program).options;
  if (!TenantId.is(tenantId)) return refuseArguments(program, `${tenantId} is not the id of a tenant.`);
  const fault = faultOfReason(reason);
  if (fault !== undefined) return refuseArguments(program, fault);
  const { store } = await openKeyedLog();
  const commandId = randomUUID();
  const clock = { now: () => new Date().toISOString() as Instant };
  const handled = await handle({ store, commandMetrics: noCommandMetrics, clock }, accessPolicy, {
    stream: accessPolicyStream(tenantId),
    commandId,
    correlationId: commandId,
    tenant: tenantId,
    actor: `break-glass:${userInfo().username}`,
    command: { type: 'TurnOffAccessPolicy', reason },
  });
  await store.close();
  if (isLeft(handled)) return stop(handled.left.detail, 1);
  const [event] = handled.right.events;
  printLine(
    event?.type === 'AccessPolicyTurnedOff'
      ? `Version ${event.data.version} is no longer enforced.`
      : 'No version was enforced.',
  );
};

if (require.main === module) runTool(main);
