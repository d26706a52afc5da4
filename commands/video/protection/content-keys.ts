/**
 * The content key of a generation: 16 bytes that are derived of a key in the vault, which wraps it as it does all others. The log has the id of that key
 * alone. Processes hold vault keys for seconds, and what is derived here only as long as its caller does.
 */
import { hkdfSync } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import { videoAccessRules } from '../../../domain/video/access/decider';
import { videoAccessStream } from '../../../domain/video/access/events';
import { accessFactsOf } from '../../../domain/video/access/state';
import type { VideoId } from '../../../domain/video/ids';
import type { Generation } from '../../../domain/video/keys';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { Vault, VaultFault } from '../../../infra/ports/vault';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';

export interface ContentKey {
  /** A UUID: its 16 bytes are the key's id in `cenc`. */
  readonly keyId: string;
  /** 16 bytes, which the caller overwrites after their use. */
  readonly bytes: Buffer;
}

/** As `cenc` names it. */
export const keyIdBytes = ({ keyId }: ContentKey): Buffer => Buffer.from(keyId.replaceAll('-', ''), 'hex');

/** What the vault knows the key by: destroyed with it, also where a backup is restored. */
export const contentKeySubject = (videoId: VideoId, generation: number): string =>
  `video-content-key:${videoId}:${generation}`;

export type ContentKeyRefusal = Rejection<'video-recalled' | 'conflict'> | EventStoreFault | VaultFault;

const keyBytes = 16;

export const openContentKey = async (vault: Vault, keyId: string): Promise<Either<ContentKeyRefusal, ContentKey>> => {
  const found = vault.peek(keyId) ?? (await vault.find(keyId, false));
  if ('_tag' in found && isLeft(found)) return found;
  const { bytes } = '_tag' in found ? found.right : found;
  if (bytes === null) return reject('video-recalled', 'The key of the video was destroyed.');
  return right({ keyId, bytes: Buffer.from(hkdfSync('sha256', bytes, '', 'septet video content key', keyBytes)) });
};

const actor = 'system:work.video-processing';

/** Records which protection the generation has, from now on for good. */
const fixProtection = async (
  deps: HandleDeps & { readonly vault: Vault },
  { tenant, videoId, generation }: Generation,
  isProtected: boolean,
): Promise<Either<ContentKeyRefusal | Rejection<string>, undefined>> => {
  const { vault } = deps;
  const key = isProtected
    ? await vault.keyFor(vault.subjectOf(tenant, contentKeySubject(videoId, generation)))
    : right(undefined);
  if (isLeft(key)) return key;
  const keyId = key.right?.id ?? null;
  const commandId = derivedId('video-protection', tenant, videoId, String(generation), keyId ?? 'none');
  const fixed = await handle(deps, videoAccessRules, {
    stream: videoAccessStream(tenant),
    command: { type: 'FixGenerationProtection', videoId, generation, keyId },
    ...{ commandId, tenant, actor, correlationId: commandId },
  });
  return isLeft(fixed) ? fixed : right(undefined);
};

const protectionOf = async (deps: HandleDeps, { tenant, videoId, generation }: Generation) => {
  const access = await loadStream(deps, videoAccessRules, videoAccessStream(tenant));
  if (isLeft(access)) return access;
  const { protection, generations } = accessFactsOf(access.right, videoId);
  return right({ isWanted: protection === 'aes128', fixed: generations.get(generation) });
};

const maxAttempts = 3;

/**
 * Called before a generation is packaged. Undefined: it is not to be encrypted. The first call fixes which of the two it is, so all workers of one
 * generation get the same.
 */
export const contentKeyOf = async (
  deps: HandleDeps & { readonly vault: Vault },
  generation: Generation,
): Promise<Either<ContentKeyRefusal | Rejection<string>, ContentKey | undefined>> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const protection = await protectionOf(deps, generation);
    if (isLeft(protection)) return protection;
    const { fixed, isWanted } = protection.right;
    if (fixed?.isDestroyed === true) return reject('video-recalled', 'The key of the video was destroyed.');
    if (fixed !== undefined) return fixed.keyId === null ? right(undefined) : openContentKey(deps.vault, fixed.keyId);
    const recorded = await fixProtection(deps, generation, isWanted);
    if (isLeft(recorded) && recorded.left.code !== 'protection-changed') return recorded;
  }
  return left({ kind: 'rejection', code: 'conflict', detail: 'The protection of the video keeps changing.' });
};
