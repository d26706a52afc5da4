/** Sessions, grants, refresh tokens, clients and signing keys that tests of the read side speak of, as the log holds them. */
import { applicationStories } from './application-stories';
import { peoplesStories } from './people-stories';

export { provider } from './application-stories';
export { eventsOfStory, hashes, ids, type Story } from './story';

export const stories = { ...peoplesStories, ...applicationStories };
