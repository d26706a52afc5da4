/** API types of the pages, derived from the routes, so that changes fail type checks. */
export type {
  DeadLetter,
  HealthStatus,
  PlatformCause as Cause,
  PlatformCauses as Causes,
  PlatformEvent as EventRow,
  PlatformEventWithState as OneEvent,
  PlatformHealth,
  PlatformHealthItem as HealthItem,
  PlatformHealthPart as HealthPart,
  PlatformProcess as ProcessRow,
  PlatformQueue as QueueRow,
  PlatformRebuild as ViewRebuild,
  PlatformStateChange as StateChange,
  PlatformStream as StreamRow,
  PlatformTimer as TimerRow,
  PlatformView as ViewRow,
} from '../../../packages/client/src/schemas';
