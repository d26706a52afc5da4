/** Records each branch and tag that a push changed as an event of the repository. */
import { isLeft } from 'fp-ts/Either';
import type { TriggerEventId } from '../../../domain/workflow/ids';
import type { AnnouncePush, Push, RefUpdate } from '../../../infra/ports/workflow/git-repositories';
import { derivedId } from '../../kernel/deterministic-ids';
import type { WorkflowAdapters } from '../adapters';
import { findRepository } from './find-repository';
import { receiveTrigger, type TriggerRefusal } from './receive-trigger';

const maxRefLength = 300;

const kinds = [
  { prefix: 'refs/heads/', eventType: 'push' },
  { prefix: 'refs/tags/', eventType: 'tag' },
] as const;

/** Refused for good: trying again would not help, so that it must not hold up later pushes. */
const isFinal = (refusal: TriggerRefusal): boolean => refusal.kind === 'rejection' && refusal.code !== 'conflict';

/** A ref that was deleted starts nothing. True: recorded, or never to be. */
const announceUpdate = async (
  adapters: WorkflowAdapters,
  { location, pushId, actorId }: Push,
  { update, requestId }: { readonly update: RefUpdate; readonly requestId: string },
): Promise<boolean> => {
  const { ref, before, after } = update;
  const kind = kinds.find(({ prefix }) => ref.startsWith(prefix));
  if (after === null || kind === undefined) return true;
  if (ref.length > maxRefLength) {
    adapters.log.warn({ ...location, length: ref.length }, 'a pushed ref is too long to start workflows');
    return true;
  }
  const repository = await findRepository(adapters, location);
  if (isLeft(repository)) return repository.left.code === 'not-found';
  const commandId = derivedId('workflow-push', location.tenantId, location.repoId, pushId, ref);
  const receipt = await receiveTrigger(adapters, {
    location,
    repository: repository.right,
    received: {
      eventId: derivedId('workflow-event', commandId) as TriggerEventId,
      eventType: kind.eventType,
      ref,
      branch: ref.slice(kind.prefix.length),
      baseBranch: null,
      activity: null,
      commitSha: after,
      beforeSha: before,
      actorId,
      pullRequest: null,
      inputs: {},
    },
    deliveredBy: actorId,
    commandId,
    correlationId: requestId,
    fingerprint: ['push', ref, before, after],
  });
  if (!isLeft(receipt)) return true;
  const code = receipt.left.kind === 'inputs' ? 'inputs' : receipt.left.code;
  adapters.log.warn({ ...location, ref, code }, 'an update of a push could not be recorded');
  return isFinal(receipt.left);
};

export const announcePushWith =
  (adapters: WorkflowAdapters, requestId: string): AnnouncePush =>
  async (push) => {
    for (const update of push.updates) if (!(await announceUpdate(adapters, push, { update, requestId }))) return false;
    return true;
  };
