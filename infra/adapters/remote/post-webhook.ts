/** Posts a webhook to a URL of an untrusted party, and reads the beginning of its answer. */
import { left, right } from 'fp-ts/Either';
import type { PostWebhook } from '../../ports/webhooks/post-webhook';
import { AddressRefused, createGuardedFetch, type FetchLimits } from './guarded-fetch';

/** As the Standard Webhooks specification recommends. */
const timeoutMilliseconds = 20_000;
const excerptBytes = 512;
const excerptLength = 200;

/** What a page can show and a database store. */
const readable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, excerptLength)
    .toWellFormed();

const isAddressRefused = (error: unknown): boolean =>
  error instanceof AddressRefused ||
  (error instanceof Error && error.cause !== undefined && isAddressRefused(error.cause));

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

export const openPostWebhook = (limits: Omit<FetchLimits, 'largestBytes' | 'isTruncated'>): PostWebhook => {
  const fetch = createGuardedFetch({
    milliseconds: timeoutMilliseconds,
    ...limits,
    largestBytes: excerptBytes,
    isTruncated: true,
  });
  return async (address, request) => {
    try {
      const answer = await fetch(address, { method: 'POST', ...request });
      return right({ statusCode: answer.status, excerpt: readable(await answer.text()) });
    } catch (error) {
      if (isAddressRefused(error)) return left('address-refused');
      return left(isTimeout(error) ? 'timed-out' : 'no-answer');
    }
  };
};
