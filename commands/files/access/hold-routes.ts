/** Routes of legal holds, by administrators: a file under one is not deleted for ever, by its owner or by the system. */
import { isLeft, right } from 'fp-ts/Either';
import { HoldReason } from '../../../domain/files/access/events';
import { record } from '../../../domain/kernel/codec';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { accessRouteDefaults, FileAnswer, FilePath, fileSubject } from './access-route';

const { sensitive: _, ...defaults } = accessRouteDefaults;

const holdDefaults = { ...defaults, scopes: ['files:admin'], params: FilePath, answer: FileAnswer } as const;

const path = '/v1/files/:fileId/hold';

export const holdFile = commandRoute<CommandDeps>()({
  ...holdDefaults,
  method: 'put',
  path,
  operation: 'holdFile',
  summary: 'Put a file under a legal hold',
  description:
    'It can still be moved to the trash, and is deleted for ever neither by its owner nor after its days in the trash. By its id, also of a file that is not shared with the caller, who does not see it by that. Refused once the deletion has begun: of both at once, the first counts.',
  sensitive: true,
  body: record('NewFileHold', { reason: HoldReason }),
  prepare: async ({ params: { fileId }, body: { reason }, ...request }, deps) => {
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    return right({ stream, command: { type: 'HoldFile' as const, by, fileId, reason }, answer: { fileId } });
  },
});

export const releaseFile = commandRoute<CommandDeps>()({
  ...holdDefaults,
  method: 'delete',
  path,
  operation: 'releaseFile',
  summary: 'Lift the legal hold of a file',
  description: 'In the trash it has its whole days again from then on.',
  sensitive: true,
  prepare: async ({ params: { fileId }, ...request }, deps) => {
    const subject = await fileSubject(deps, request, fileId);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    return right({ stream, command: { type: 'ReleaseFile' as const, by, fileId }, answer: { fileId } });
  },
});
