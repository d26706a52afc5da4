/** The pages of videos. One chunk, loaded with the first of them. */
export { ChannelPage } from './library/channel-page';
export { LibraryPage } from './library/library-page';
export { BlockedRecordingsPage } from './moderation/blocked-recordings-page';
export { OwnReportsPage } from './moderation/own-reports-page';
export { ReportsPage } from './moderation/reports-page';
export { SeriesListPage } from './series/series-list-page';
export { SeriesPage } from './series/series-page';
export { OwnEntitlementsPage } from './sharing/own-entitlements-page';
export { VideoPage } from './video-page';
export { WatchPage } from './watch-page';
