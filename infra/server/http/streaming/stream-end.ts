/** Why a stream ended, in the same words on both transports: an `end` event, or a close code with the word as its reason. */
import type { ServerSentEvent } from '../routing/route';

export interface StreamEnd {
  readonly code: string;
  /** RFC 6455, section 7.4; from 4000 on ours. */
  readonly closeCode: number;
  /** A sentence for the caller. */
  readonly detail: string;
}

const end = (code: string, closeCode: number, detail: string): StreamEnd => ({ code, closeCode, detail });

export const streamEnds = {
  draining: end('draining', 1012, 'This server stops; follow on elsewhere, after what you saw last.'),
  unavailable: end('service-unavailable', 1013, 'The server cannot continue right now. Try again in a moment.'),
  stale: end('revocation-state-stale', 1013, 'The state of revocations is not current.'),
  binary: end('not-text', 1003, 'Messages are JSON in text frames.'),
  malformed: end('malformed-message', 4400, 'The message does not have an expected form.'),
  expired: end('token-expired', 4401, 'The token has expired; connect again with a new one.'),
  revoked: end('token_revoked', 4403, 'The token was revoked.'),
  rotated: end('come-back', 1012, 'Continue with a new request and a new token.'),
  moved: end('moved', 1012, 'Another copy of this service has it now; connect again to reach it.'),
  withdrawn: end('access-withdrawn', 4403, 'Access was withdrawn.'),
  trashed: end('trashed', 4410, 'The document is in the trash or deleted.'),
  idle: end('idle', 4408, 'This connection follows nothing.'),
  flood: end('too-many-messages', 4429, 'Messages exceeded the rate limit.'),
} as const;

export const endEvent = ({ code, detail }: StreamEnd): ServerSentEvent => ({
  event: 'end',
  data: JSON.stringify({ code, detail }),
});
