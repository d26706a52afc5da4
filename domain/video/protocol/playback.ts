/** What players report of a playback, and what is kept of it while it lasts. */

/** Times in milliseconds; instants since 1970. */
export interface Heartbeat {
  /** Increases with each heartbeat of a playback. */
  readonly sequence: number;
  /** By the clock, whatever the speed, since the heartbeat before, as the player reports it. */
  readonly watched: number;
  /** Where in the film the player is. */
  readonly position: number;
  /** Since the heartbeat before. */
  readonly bufferingEvents: number;
  readonly seeks: number;
  /** When the playback was allowed. */
  readonly issuedAt: number;
  /** Of the film; 0 where it is not known. */
  readonly duration: number;
  readonly receivedAt: number;
}

/** What is known of one playback. */
export interface PlaybackCount {
  readonly sequence: number;
  readonly receivedAt: number;
  readonly claimed: number;
  readonly credited: number;
  /** A bit for each tenth of the film of which something was watched. */
  readonly reached: number;
  readonly isPlay: boolean;
  readonly isSuspicious: boolean;
}
