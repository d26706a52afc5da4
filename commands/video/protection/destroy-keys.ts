/** Destroys the keys of a video that was recalled or deleted. */
import { isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../../domain/kernel/ids';
import { videoAccessRules } from '../../../domain/video/access/decider';
import { videoAccessStream } from '../../../domain/video/access/events';
import { accessFactsOf } from '../../../domain/video/access/state';
import type { KeyDestruction } from '../../../domain/video/destroy-keys-on-recall/process';
import { video } from '../../../domain/video/video/decider';
import { videoStream } from '../../../domain/video/video/events';
import { derivedId } from '../../kernel/deterministic-ids';
import { forgetKeys } from '../../kernel/forget-keys';
import { loadStream } from '../../kernel/load-stream';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { contentKeySubject } from './content-keys';

export const destroyKeys =
  (deps: WorkerAdapters): PerformJob<KeyDestruction> =>
  async ({ tenant, id, cause, payload: { videoId } }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const access = await loadStream(deps, videoAccessRules, videoAccessStream(tenant));
    if (isLeft(access)) return again(access.left.detail);
    const own = await loadStream(deps, video, videoStream(tenant, videoId));
    if (isLeft(own)) return again(own.left.detail);
    const isDeleted = own.right.kind === 'deleted';
    for (const [generation, { keyId, isDestroyed }] of accessFactsOf(access.right, videoId).generations) {
      if (keyId === null || !(isDestroyed || isDeleted)) continue;
      const destroyed = await forgetKeys(deps, {
        ...{ tenant, subjectId: contentKeySubject(videoId, generation), reason: 'asked-for' },
        recorded: (keys) => ({
          ...{ tenant, actor: 'system:work.video-key-destruction', ...cause },
          commandId: derivedId('video-key-destruction', tenant, id, String(generation), ...keys),
        }),
      });
      if (isLeft(destroyed)) return again(destroyed.left);
    }
    return right([]);
  };
