/** Sessions, grants, refresh tokens, clients and signing keys that tests of the read side speak of, as the log holds them. */
import { applicationStories } from './access-applications';
import { peoplesStories } from './access-people';

export { provider } from './access-applications';
export { hashes, ids, type Story, told } from './access-told';

export const stories = { ...peoplesStories, ...applicationStories };
