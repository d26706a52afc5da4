/** What a person sees whose browser asked too often: when to come back, and nothing of the request. */
import { peoplesPage } from './peoples-page';

/** In words that say no less than it takes. */
const waitOf = (seconds: number): string => {
  if (seconds <= 1) return 'in a second';
  if (seconds < 120) return `in ${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
};

const titles: { readonly [status: number]: string } = { 429: 'Too many requests', 503: 'Not right now' };

/** A wait that no wait helps with is not promised. */
export const limitedPage = (status: number, retryAfterSeconds: number): string => {
  const title = titles[status] ?? 'Not allowed';
  const advice = retryAfterSeconds > 0 ? `Try again ${waitOf(retryAfterSeconds)}.` : 'This is not open to you.';
  return peoplesPage(title, advice);
};
