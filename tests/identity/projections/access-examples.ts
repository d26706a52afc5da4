/** Recorded sessions, grants, refresh tokens, clients and signing keys for tests of the read side. */
import { applicationStories } from './application-stories';
import { peoplesStories } from './people-stories';

export { provider } from './application-stories';
export { eventsOfStory, hashes, ids, type Story, story } from './story';

export const stories = { ...peoplesStories, ...applicationStories };
