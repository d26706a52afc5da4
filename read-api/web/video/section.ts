/** Manifest of the pages of videos. */
import type { PagePolicy, Section } from '../shell/section';
import type * as Pages from './pages';

const page = (name: keyof typeof Pages) => async () => (await import('./pages'))[name];

/** Parts are sent to the object store, and the player makes media of segments. One policy, so that uploads go on while a film is watched. */
const policy: PagePolicy = { objectStore: true, blobMedia: true };

export const video: Section = {
  title: 'Video',
  group: 'services',
  scope: 'videos:read',
  links: [
    { path: '/console/videos', label: 'Videos', key: '1', words: ['video', 'film', 'upload', 'stream'] },
    {
      path: '/console/videos/series',
      label: 'Series',
      key: '2',
      words: ['episodes', 'playlist', 'order', 'next', 'video'],
    },
  ],
  furtherLinks: [
    {
      path: '/console/videos/entitlements',
      label: 'Your entitlements',
      words: ['video', 'subscription', 'purchase', 'rental', 'play'],
    },
    { path: '/console/videos/reports/own', label: 'Your reports of videos', words: ['report', 'abuse', 'outcome'] },
    {
      path: '/console/videos/reports',
      label: 'Reports of videos',
      scope: 'videos:admin',
      words: ['moderation', 'takedown', 'abuse', 'copyright'],
    },
    {
      path: '/console/videos/blocked-recordings',
      label: 'Blocked recordings',
      scope: 'videos:admin',
      words: ['moderation', 'copyright', 'fingerprint', 'music'],
    },
  ],
  pages: [
    { path: '/console/videos', policy, load: page('LibraryPage') },
    { path: '/console/videos/channels/:ownerId', policy, load: page('ChannelPage') },
    { path: '/console/videos/entitlements', policy, load: page('OwnEntitlementsPage') },
    { path: '/console/videos/reports', policy, load: page('ReportsPage') },
    { path: '/console/videos/reports/own', policy, load: page('OwnReportsPage') },
    { path: '/console/videos/blocked-recordings', policy, load: page('BlockedRecordingsPage') },
    { path: '/console/videos/series', policy, load: page('SeriesListPage') },
    { path: '/console/videos/series/:seriesId', policy, load: page('SeriesPage') },
    { path: '/console/videos/:videoId', policy, load: page('VideoPage') },
    { path: '/console/videos/:videoId/watch', policy, load: page('WatchPage') },
  ],
};
