/** One of several processes that sign over a shared log and keystore; executes the test's requests at a given moment. */

import {
  destroyUnrecorded,
  runSigningKeyCommand,
  toKeyRecord,
} from '../../../../commands/identity/signing-keys/signing-key-commands';
import type { KeyId } from '../../../../domain/identity/ids';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openFileKeystore } from '../../../../infra/adapters/kms/file-keystore';
import { answered, openWorld } from '../../../identity/signing-keys/signing-processes';

export interface Question {
  readonly operation: 'active' | 'tend' | 'sign' | 'revoke';
  /** How much later it is than at the question before. */
  readonly seconds?: number;
  readonly kid?: string;
}

const [url = '', directory = ''] = process.argv.slice(2);
const kms = answered(openFileKeystore({ directory, masterKey: Buffer.alloc(32, 7) }));
const world = openWorld(openEventStore({ url }), kms);
const { deps, signer, tend } = world.member();

const revoke = async (kid: string): Promise<string> => {
  const made = answered(await kms.create({ algorithm: 'ES256', name: deps.random.uuid() }));
  const replacement = toKeyRecord(made, kms);
  const command = {
    type: 'RevokeKey',
    kid: kid as KeyId,
    reason: 'Leaked.',
    replacement,
    at: deps.clock.now(),
  } as const;
  const { events } = answered(await runSigningKeyCommand(deps, command));
  await destroyUnrecorded(deps, made.kid);
  return String(events.length);
};

const perform = async ({ operation, kid = '' }: Question): Promise<string> => {
  if (operation === 'active') return answered(await signer.activeKey('access-token')).kid;
  if (operation === 'tend') return (await tend()) ?? '';
  if (operation === 'revoke') return revoke(kid);
  return String(answered(await signer.sign(kid, Buffer.from('a'))).length);
};

process.on('message', (question: Question) => {
  world.wait(question.seconds ?? 0);
  perform(question).then(
    (result) => process.send?.({ answer: result }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.send?.({ answer: 'ready' });
